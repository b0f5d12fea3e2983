import { DAY_MS } from '../../../src/shared/durations.ts';
import { t } from '../../tap.ts';
import { setPackageLimit } from '../billing/subscriptions/subscription-helper.ts';
import { startInbox } from './inbox-helper.ts';
import { signInBrowser } from './signed-in-browser.ts';

const test = await startInbox(t);
await setPackageLimit(test, 'FREE', { qrCodes: null });
const { call, code, database, scan, write } = test;

async function openAccount() {
  const user = await test.createUser();
  const browser = await signInBrowser(test, user);
  return { user, browser, home: `/app/${user.id}` };
}

/** The section of the page below a heading. */
const findSection = (markup: string, heading: string) =>
  [...markup.matchAll(/<section>.*?<\/section>/gs)]
    .map(([section]) => section)
    .find((section) => section.includes(`<h2>${heading}`)) ?? '';

t.test('new messages have their sender and text, and stay unread', async (t) => {
  const { browser, home, user } = await openAccount();
  const id = await code({ title: 'Rex', contactable: true }, user);
  await browser.open(home);
  t.equal(findSection(browser.main, '1 new message'), '');
  const message = `Your dog sleeps on our sofa. ${'He is well. '.repeat(20)}`;
  const opened = await write(id, { message, name: 'Lin' });
  for (const _visit of [1, 2]) {
    await browser.open(home);
    const section = findSection(browser.main, '1 new message');
    t.match(section, '<bdi>Lin</bdi>');
    t.match(section, 'Your dog sleeps on our sofa.');
    t.match(section, '…');
    t.match(section, `${home}/inbox/${opened.body.id}`);
  }
  await browser.open(`${home}/inbox/${opened.body.id}`);
  await browser.open(home);
  t.notMatch(browser.main, 'sofa');
});

t.test('a message about a medical code has no text on the first page', async (t) => {
  const { browser, home, user } = await openAccount();
  const id = await code({ kind: 'MEDICAL', data: { name: 'Ada' }, contactable: true }, user);
  await write(id, { message: 'She has a seizure.', name: 'Lin' });
  await browser.open(home);
  const section = findSection(browser.main, '1 new message');
  t.match(section, 'Lin');
  t.notMatch(section, 'seizure');
});

t.test('new places are those of people since the last visit', async (t) => {
  const { browser, home, user } = await openAccount();
  const id = await code({ title: 'Rex' }, user);
  const { id: scanId } = (await scan({ qrCodeId: id })).body.scan;
  const place = { city: 'Berlin', country: 'DE', class: 'HUMAN' };
  await database.client.scan.updateMany({ where: { id: scanId }, data: place });
  await browser.open(home);
  const section = findSection(browser.main, 'New places');
  t.match(section, 'Berlin');
  t.match(section, `${home}/codes/${id}/scans/${scanId}`);
  // The visit ended after the scan, and long ago.
  const ended = Date.now() - 60 * 60_000;
  const scannedAt = new Date(ended - 60_000);
  await database.client.scan.updateMany({ where: { id: scanId }, data: { scannedAt } });
  browser.cookies.set('__Host-home-visit', `${user.id}.${ended - DAY_MS}.${ended}`);
  await browser.open(home);
  t.equal(findSection(browser.main, 'New places'), '');
});

t.test('codes that nobody scanned in half a year are named', async (t) => {
  const { browser, home, user } = await openAccount();
  const quiet = await code({ title: 'Old bag' }, user);
  const scanned = await code({ title: 'Old dog' }, user);
  const medical = await code({ title: 'Card', kind: 'MEDICAL', data: { name: 'Ada' } }, user);
  await code({ title: 'New bag' }, user);
  await scan({ qrCodeId: scanned });
  const createdAt = new Date(Date.now() - 181 * DAY_MS);
  const where = { id: { in: [quiet, scanned, medical] } };
  await database.client.qrCode.updateMany({ where, data: { createdAt } });
  await browser.open(home);
  const section = findSection(browser.main, 'Quiet for half a year');
  t.match(section, 'Old bag');
  for (const title of ['Old dog', 'Card', 'New bag']) t.notMatch(section, title);
  const list = /href="([^"]*notScannedSince[^"]*)"/.exec(section)?.[1] ?? '';
  await browser.open(list);
  t.match(browser.main, 'Old bag');
  t.notMatch(browser.main, 'Old dog');
});

t.test('all lost ones are counted, and codes are cards or a table', async (t) => {
  const { browser, home, user } = await openAccount();
  for (let number = 1; number <= 11; number += 1) {
    const id = await code({ title: `Bag ${number}` }, user);
    await call('POST', `/api/qrcodes/${id}/lost`, { token: user.accessToken, body: {} });
  }
  await code({ title: 'Rex' }, user);
  await browser.open(home);
  const lost = findSection(browser.main, 'Lost (11)');
  t.equal(lost.match(/class="lost-item"/g)?.length, 10);
  t.match(lost, `${home}/codes?status=LOST`);
  t.notMatch(browser.main, '<table');
  await browser.open(`${home}?layout=table`);
  t.match(browser.main, '<table');
  t.notMatch(browser.main, 'type="checkbox"', 'there is nothing to select for');
  for (let number = 12; number <= 25; number += 1) await code({ title: `Bag ${number}` }, user);
  await browser.open(home);
  t.match(browser.main, '<table', 'more than 25 are a table');
  await browser.open(`${home}?layout=cards`);
  t.notMatch(browser.main, '<table');
});
