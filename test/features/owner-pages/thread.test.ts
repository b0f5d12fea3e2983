import { createVisitFormToken } from '../../../src/features/finder/form-token.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { PHONE_USER_AGENT } from '../../helper.ts';
import { t } from '../../tap.ts';
import { setPackageLimit } from '../billing/subscriptions/subscription-helper.ts';
import { BERLIN_POSITION, createTokenHeader } from '../scans/helper.ts';
import { startInbox } from './inbox-helper.ts';

const PARIS_POSITION = { latitude: 48.8566, longitude: 2.3522, accuracy: 20 };
const MADRID_POSITION = { latitude: 40.4168, longitude: -3.7038, accuracy: 20 };

const test = await startInbox(t);
const { call, code, database, owner, path, scan, services } = test;
const browser = await test.signIn();

/** Scan by phones of different networks, so that none is a repeat. */
let networks = 0;
async function scanAt(qrCodeId: string, position: object = {}, userAgent = PHONE_USER_AGENT) {
  networks += 1;
  return scan(
    { qrCodeId, ...position },
    { headers: { 'user-agent': userAgent }, remoteAddress: `203.0.${networks}.1` },
  );
}

const moveTo = (made: Awaited<ReturnType<typeof scanAt>>, body: object) =>
  call('POST', `/api/scans/public/${made.body.scan.id}/location`, { body, headers: createTokenHeader(made) });

const open = (made: Awaited<ReturnType<typeof scanAt>>, message: string) =>
  call('POST', '/api/conversations/public', {
    body: { scanId: made.body.scan.id, message },
    headers: createTokenHeader(made),
  });

t.test('a thread has the scan, its places and the messages in order', async (t) => {
  const id = await code();
  const made = await scanAt(id, BERLIN_POSITION);
  const { body } = await open(made, 'Found him.');
  await moveTo(made, MADRID_POSITION);
  await moveTo(made, PARIS_POSITION);
  await call('POST', `/api/conversations/${body.id}/messages`, {
    token: owner.accessToken,
    body: { message: 'Where are you?' },
  });
  await browser.open(`${path}/inbox/${body.id}`);
  t.match(browser.main, /was scanned\..*Berlin.*Found him\..*Shared a location.*Paris.*Where are you\?/s);
  t.notMatch(browser.main, 'Madrid', 'of places in a row, the last');
  t.match(browser.main, `href="${path}/codes/${id}/scans/${made.body.scan.id}">Shared a location`);
});

t.test('the pages of a long thread have their own places', async (t) => {
  const made = await scanAt(await code());
  const { body } = await open(made, 'Message 0');
  await moveTo(made, PARIS_POSITION);
  for (let count = 1; count <= 20; count += 1)
    await call('POST', `/api/conversations/public/${body.id}/messages`, {
      headers: { 'x-conversation-token': body.conversationToken },
      body: { message: `Message ${count}` },
    });
  await browser.open(`${path}/inbox/${body.id}`);
  t.notMatch(browser.main, 'Paris');
  await browser.open(/href="([^"]*cursor=[^"]*)"/.exec(browser.main)?.[1] ?? '');
  t.match(browser.main, 'Message 0');
  t.match(browser.main, /Message 0.*Paris/s, 'after the last message of its page');
});

t.test('a later scan from which the finder writes again is in the thread', async (t) => {
  const id = await code({ title: 'Suitcase' });
  let cookie = '';
  const headers = () => ({ 'user-agent': PHONE_USER_AGENT, ...(cookie && { cookie }) });
  const write = async (message: string): Promise<string> => {
    const page = await call('GET', `/s/${id}`, { headers: headers() });
    const [scanId = ''] = (/name="visit" value="([^"]*)"/.exec(page.text)?.[1] ?? '').split('.');
    const now = Date.now;
    Date.now = () => now() - 10_000;
    const visit = createVisitFormToken(services.fieldCipher, id, scanId, true);
    Date.now = now;
    const sent = await call('POST', `/s/${id}/message`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers() },
      body: String(new URLSearchParams({ visit, message })),
    });
    t.equal(sent.status, 200, sent.text);
    cookie ||= String(sent.headers['set-cookie']).split(';')[0] ?? '';
    return scanId;
  };
  const first = await write('At the station.');
  const second = await write('At the hotel now.');
  t.not(first, second);
  const rows = await database.client.conversationMessage.findMany({
    where: { conversation: { qrCodeId: id } },
    orderBy: { createdAt: 'asc' },
  });
  t.match(rows, [{ scanId: null }, { scanId: second }]);
  await browser.open(`${path}/inbox/${rows[0]?.conversationId}`);
  t.match(browser.main, /was scanned\..*At the station\..*was scanned\..*At the hotel now\./s);
});

t.test('a place without a message is an entry of the inbox, until its finder writes', async (t) => {
  const id = await code({ title: '<b>Bike' });
  const other = await code({ title: 'Bag' });
  const address = `${path}/inbox?code=${id}`;
  await scanAt(id);
  await browser.open(address);
  t.match(browser.main, 'There are no conversations here.', 'a scan without a place is none');
  const state = (await browser.open(`${path}/inbox/updates`)).text;
  const made = await scanAt(id, BERLIN_POSITION);
  await open(await scanAt(other), 'Hello');
  t.not((await browser.open(`${path}/inbox/updates`)).text, state);
  await browser.open(`${path}/inbox`);
  t.match(
    browser.main,
    /<bdi>Bag<\/bdi>.*Hello.*<bdi><b>Bike<\/bdi>.*Berlin.*Shared a location, without a message\./s,
  );
  t.notMatch(browser.page.text, '<b>Bike');
  t.match(browser.main, `href="${path}/codes/${id}/scans/${made.body.scan.id}"`);
  await moveTo(made, MADRID_POSITION);
  await browser.open(address);
  t.match(browser.main, /Bike.*Madrid/s, 'the newest place');
  await browser.open(`${path}/inbox?show=done`);
  t.notMatch(browser.main, 'Bike', 'a place cannot be done');
  await browser.open(`${path}/inbox?code=${other}`);
  t.notMatch(browser.main, 'Bike');

  await open(made, 'It is here.');
  await browser.open(address);
  t.match(browser.main, 'It is here.');
  t.notMatch(browser.main, 'without a message', 'now it is a conversation');
});

t.test('pages of the inbox have conversations and places by their time, each once', async (t) => {
  const id = await code({ title: 'Drone' });
  for (let count = 0; count < 13; count += 1) {
    await scanAt(id, BERLIN_POSITION);
    await open(await scanAt(id), `Message ${count}.`);
    await database.client.$executeRaw`DELETE FROM attempt_budgets`;
  }
  await scanAt(id, BERLIN_POSITION, 'Googlebot/2.1');
  const entries: string[] = [];
  let next = `${path}/inbox?code=${id}`;
  while (next) {
    await browser.open(next);
    for (const [, text = ''] of browser.main.matchAll(/<p class="text">(.*?)<\/p>/g)) entries.push(text);
    next = /<a class="act plain" href="([^"]*cursor=[^"]*)"/.exec(browser.main)?.[1] ?? '';
  }
  t.equal(entries.length, 26);
  t.match(entries.slice(0, 2), [/Message 12\./, /without a message/]);
  t.equal(new Set(entries.filter((text) => text.includes('Message'))).size, 13);
});

t.test('places that the package no longer shows, and those of others, are no entry', async (t) => {
  const id = await code({ title: 'Old drone' });
  const made = await scanAt(id, BERLIN_POSITION);
  const row = await database.client.scan.findFirstOrThrow({ where: { id: made.body.scan.id } });
  const scannedAt = new Date(Date.now() - 40 * 86_400_000);
  await database.client.scan.create({ data: { ...row, id: generateId(scannedAt), scannedAt } });
  await database.client.scan.deleteMany({ where: { id: row.id } });
  await browser.open(`${path}/inbox?code=${id}`);
  t.match(browser.main, 'without a message');
  await setPackageLimit(test, 'FREE', { scansKeptDays: 30 });
  await browser.open(`${path}/inbox?code=${id}`);
  t.notMatch(browser.main, 'without a message');
  const stranger = await test.createUser();
  const foreign = await code({}, stranger);
  await scanAt(foreign, BERLIN_POSITION);
  await browser.open(`${path}/inbox?code=${foreign}`);
  t.notMatch(browser.main, 'without a message');
});
