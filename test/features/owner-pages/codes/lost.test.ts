import { toSupportedLocale } from '../../../../src/shared/i18n/choose-locale.ts';
import { t as translate } from '../../../../src/shared/i18n/translate.ts';
import { t } from '../../../tap.ts';
import { captureAuditEntries } from '../../audit-trail-helper.ts';
import { BERLIN_POSITION, startScans } from '../../scans/helper.ts';
import { signInBrowser } from '../signed-in-browser.ts';

const HOSTILE_TITLE = '</title><script>alert(1)</script> "Rex" رِكس';

const test = await startScans(t);
const { call, code, owner } = test;
const token = owner.accessToken;
const browser = await signInBrowser(test, owner);

const readCode = async (id: string) => (await call('GET', `/api/qrcodes/${id}`, { token })).body;

t.test('a code is reported as lost in two taps from the first page, and found again', async (t) => {
  const id = await code({ title: HOSTILE_TITLE });
  await browser.open(`/app/${owner.id}`);
  t.notMatch(browser.page.text, '<script>alert', 'a title is text');
  const link = /href="([^"]*\/lost\?to=home)"/.exec(browser.page.text)?.[1] ?? '';
  t.equal(link, `/app/${owner.id}/codes/${id}/lost?to=home`);
  await browser.open(link);
  t.notMatch(browser.page.text, '<script>alert');
  await browser.send('/lost');
  t.equal(browser.path, `/app/${owner.id}?done=lost&id=${id}`);
  t.match(browser.main, 'Marked as lost.');
  t.match(browser.main, 'Not scanned since');
  t.equal((await readCode(id)).status, 'LOST');

  await call('POST', '/api/scans/geocoded', { body: { qrCodeId: id, ...BERLIN_POSITION } });
  await browser.open(`/app/${owner.id}`);
  t.match(browser.main, /Last scanned .*Berlin/s, 'where it was scanned last is on the first page');
  await browser.send('/found');
  t.equal(browser.path, `/app/${owner.id}?done=found&id=${id}`);
  t.match(browser.main, 'The lost notice is down.');
  t.equal((await readCode(id)).status, 'ACTIVE');
  await browser.send('/undo-found');
  t.equal(browser.path, `/app/${owner.id}?done=undo-found&id=${id}`);
  t.match(browser.main, 'Marked as lost again.');
  await browser.open(`/app/${owner.id}/codes/${id}`);
  await browser.send('/found');
  await browser.send('/undo-found');
  t.equal((await readCode(id)).status, 'LOST');
});

t.test('what finders read is chosen or written, and changed later', async (t) => {
  const id = await code({ title: 'Suitcase', kind: 'LUGGAGE', data: { name: 'Ada' } });
  const path = `/app/${owner.id}/codes/${id}`;
  await browser.open(path);
  t.match(browser.main, `href="${path}/lost"`, 'the page of the code leads to the form');
  await browser.open(`${path}/lost`);
  await browser.send('/lost', { preset: 'handIn', message: '', reward: '50 €', lastSeen: 'Gate 7' });
  t.match((await readCode(id)).lost, {
    message: 'Please leave it at the nearest lost and found, and tell me where.',
    reward: '50 €',
    lastSeen: 'Gate 7',
  });
  t.match(browser.main, /Reward: 50 €.*Last seen: Gate 7/s);
  const poster = /href="([^"]*paper=LETTER)"/.exec(browser.main)?.[1] ?? '';
  t.match(await browser.open(poster), {
    status: 200,
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': /^attachment; filename="[a-z0-9-]+-poster.pdf"$/,
    },
  });
  await browser.open(`${path}/lost`);
  t.equal(browser.title, 'Change lost notice');
  t.match(browser.main, 'value="handIn" checked', 'what was chosen is chosen');
  t.match(browser.main, 'value="Gate 7"');
  const scan = async (language: string) => (await call('GET', `/s/${id}?lang=${language}`)).text;
  t.match(
    await scan('de'),
    translate(toSupportedLocale('de'), 'app.lost.presets.handIn'),
    'in the language of who reads it',
  );
  t.match(await scan('ja'), translate(toSupportedLocale('ja'), 'app.lost.presets.handIn'));
  const own = '<b>Blue</b>, with a "sticker"';
  await browser.send('/lost', { preset: 'handIn', message: own, reward: '', lastSeen: '' });
  t.match((await readCode(id)).lost, { message: own, reward: null, lastSeen: null });
  t.match(await scan('de'), '&#60;b&#62;Blue&#60;/b&#62;, with a', 'own words stay as they are');
  t.notMatch(browser.page.text, '<b>Blue');
  await browser.open(`${path}/lost`);
  t.match(browser.main, own, 'and what was written is there');

  await browser.send('/lost', { reward: 'x'.repeat(201), lastSeen: 'Oslo' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'This is too long.');
  t.match(browser.main, 'value="Oslo"', 'what was entered is still there');
});

t.test('a change of the status is audited as that of the API', async (t) => {
  const id = await code();
  const path = `/app/${owner.id}/codes/${id}`;
  const recorded = await captureAuditEntries(test, async () => {
    await browser.open(path);
    await browser.send('/pause');
    t.match(browser.main, 'Paused.');
    await browser.send('/resume');
    t.match(browser.main, 'It’s active again.');
    await browser.open(`${path}/lost`);
    await browser.send('/lost');
    await browser.send('/found');
  });
  t.same(
    recorded.filter(({ resourceId }) => resourceId === id).map(({ action }) => action),
    ['QRCODE_PAUSED', 'QRCODE_RESUMED', 'QRCODE_REPORTED_LOST', 'QRCODE_REPORTED_FOUND'],
  );
});

t.test('nobody opens or changes the code of somebody else', async (t) => {
  const id = await code({ title: 'Secret thing' });
  const stranger = await test.createUser();
  const other = await signInBrowser(test, stranger);
  for (const account of [owner.id, stranger.id])
    for (const part of ['', '/lost', '/print', '/scans', '/image/png']) {
      await other.open(`/app/${account}/codes/${id}${part}`);
      t.equal(other.page.status, 404, `${account}${part}`);
      t.notMatch(other.page.text, 'Secret thing');
    }
  const own = await code({}, stranger);
  await other.open(`/app/${stranger.id}/codes/${own}/lost`);
  const form = other.findForm('/lost');
  const body = String(new URLSearchParams(form?.hidden));
  await other.open(`/app/${stranger.id}/codes/${id}/lost`, { method: 'POST', body });
  t.equal(other.page.status, 404);
  t.equal((await readCode(id)).status, 'ACTIVE');
});

t.test('what was entered while the service was unavailable can be sent again', async (t) => {
  const test = await startScans(t, { DATABASE_POOL_SIZE: '2' });
  const browser = await signInBrowser(test, test.owner);
  const id = await test.code();
  await browser.open(`/app/${test.owner.id}/codes/${id}/lost`);
  const { pool } = test.database;
  await test.services.jobs.stop();
  pool.options.connectionTimeoutMillis = 100;
  const taken = await Promise.all([pool.connect(), pool.connect()]);
  await browser.send('/lost', { message: 'He bites "nobody"', reward: '5 EUR' });
  for (const connection of taken) connection.release();
  t.equal(browser.page.status, 503);
  await browser.send('/lost');
  t.equal(browser.page.status, 200);
  t.match(browser.main, /He bites "nobody".*Reward: 5 EUR/s);
});
