import { DAY_MS } from '../../../../src/shared/durations.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { PHONE_USER_AGENT } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { setPackageLimit } from '../../billing/subscriptions/subscription-helper.ts';
import {
  BERLIN_COORDINATE_PATTERN,
  BERLIN_POSITION,
  createTokenHeader,
  startScans,
} from '../../scans/helper.ts';
import { signInBrowser } from '../signed-in-browser.ts';

const PARIS_POSITION = { latitude: 48.8566, longitude: 2.3522, accuracy: 20 };
const MADRID_POSITION = { latitude: 40.4168, longitude: -3.7038, accuracy: 20 };

const test = await startScans(t);
const { call, code, database, owner, scan } = test;
const browser = await signInBrowser(test, owner);
const getPath = (id: string) => `/app/${owner.id}/codes/${id}/scans`;

/** Scan by phones of different networks, so that none is a repeat. */
let networks = 0;
async function scanAt(qrCodeId: string, position: object = {}, userAgent = PHONE_USER_AGENT) {
  networks += 1;
  const made = await scan(
    { qrCodeId, ...position },
    { headers: { 'user-agent': userAgent }, remoteAddress: `203.0.${networks}.1` },
  );
  t.equal(made.status, 201, made.text);
  return made;
}

const listScans = (markup: string, path: string) =>
  [...markup.matchAll(/<th scope="row"><a href="([^"]*)"/g)].map(([, href]) => href?.replace(`${path}/`, ''));

t.test('scans are filtered by who scanned', async (t) => {
  const id = await code();
  const path = getPath(id);
  const human = (await scanAt(id)).body.scan.id;
  const bot = (await scanAt(id, {}, 'Googlebot/2.1 (+http://www.google.com/bot.html)')).body.scan.id;
  await browser.open(path);
  t.same(listScans(browser.main, path), [bot, human]);
  t.match(browser.main, `<a href="${path}" aria-current="page">All</a>`);
  await browser.open(`${path}?class=BOT`);
  t.same(listScans(browser.main, path), [bot]);
  t.match(browser.main, '1 scan<');
  t.match(browser.main, `<a href="${path}?class=BOT" aria-current="page">Bot</a>`);
  await browser.open(`${path}?class=PREVIEW`);
  t.match(browser.main, 'No scan of this kind.');
  t.match(browser.main, `href="${path}?class=HUMAN"`, 'with the way to the others');
  await browser.open(`${path}?class=nobody`);
  t.same(listScans(browser.main, path), [bot, human], 'what an address cannot have is ignored');
});

t.test('the list tells its script when there is a new scan', async (t) => {
  const id = await code();
  const path = getPath(id);
  const readState = () => /data-state="([^"]*)"/.exec(browser.page.text)?.[1];
  await browser.open(path);
  t.equal(readState(), '');
  const { body } = await scanAt(id);
  t.equal((await browser.open(`${path}/updates`)).text, body.scan.id);
  await browser.open(path);
  t.equal(readState(), body.scan.id);
  await browser.open(`${path}?class=BOT`);
  t.equal(readState(), undefined, 'a filtered list stays as it is');
});

t.test('the pages of a filtered list keep the filter', async (t) => {
  const id = await code();
  const path = getPath(id);
  await scanAt(id, {}, 'Googlebot/2.1 (+http://www.google.com/bot.html)');
  for (let count = 0; count < 26; count += 1) await scanAt(id);
  await browser.open(`${path}?class=HUMAN`);
  const next = /rel="next" href="([^"]*)"/.exec(browser.main)?.[1] ?? '';
  t.match(next, 'class=HUMAN');
  await browser.open(next);
  t.equal(listScans(browser.main, path).length, 1, 'the bot is on no page');
});

t.test('a chart shows the scans by day, and its table the numbers', async (t) => {
  const id = await code();
  await browser.open(getPath(id));
  t.notMatch(browser.main, '<svg viewBox', 'nothing to draw yet');
  await scanAt(id);
  await scanAt(id);
  await browser.open(getPath(id));
  t.match(
    browser.main,
    /<h2 id="scans-by">Scans by day<\/h2>.*<ul class="key">.*<svg viewBox="0 0 360 240" role="img"/s,
  );
  const rows = [
    ...browser.main.matchAll(/<tr><th scope="row">[^<]*<\/th>((?:<td class="number">\d+<\/td>){3})<\/tr>/g),
  ];
  t.equal(rows.length, 30);
  t.equal(rows.at(-1)?.[1], '<td class="number">2</td>'.repeat(3), 'today');
  t.match(String(browser.page.headers['content-security-policy']), /style-src(?: 'sha256-[^']*'){3}/);
  t.notMatch(browser.main, ' style="');
});

t.test('a map shows the trail of the last places, each with the way to its scan', async (t) => {
  const id = await code();
  const path = getPath(id);
  const madrid = (await scanAt(id, MADRID_POSITION)).body.scan.id;
  await scanAt(id);
  const moved = await scanAt(id, MADRID_POSITION);
  const located = await call('POST', `/api/scans/public/${moved.body.scan.id}/location`, {
    body: PARIS_POSITION,
    headers: createTokenHeader(moved),
  });
  t.equal(located.status, 201, located.text);
  const berlin = (await scanAt(id, BERLIN_POSITION)).body.scan.id;
  await browser.open(path);
  const svg = /<figure class="map">(.*?)<\/figure>/s.exec(browser.main)?.[1] ?? '';
  t.match(svg, 'role="group"');
  t.same(
    [...svg.matchAll(/<a href="([^"]*)">/g)].map(([, href]) => href),
    [madrid, moved.body.scan.id, berlin].map((scanId) => `${path}/${scanId}`),
    'oldest first, the scan without a place is left out',
  );
  const list = /<details><summary>All 3 locations<\/summary><ol>(.*?)<\/ol>/s.exec(browser.main)?.[1] ?? '';
  t.match(list, /Madrid.*Paris.*Berlin/s, 'the newest place of each');
  t.notMatch(browser.main, BERLIN_COORDINATE_PATTERN, 'lists have no exact place');
  await browser.open(`${path}?class=BOT`);
  t.notMatch(browser.main, '<figure class="map">', 'filtered like the list');
});

t.test('what the package no longer shows is on no map', async (t) => {
  const id = await code();
  const scannedAt = new Date(Date.now() - 40 * DAY_MS);
  for (const position of [MADRID_POSITION, PARIS_POSITION]) {
    const recent = (await scanAt(id, position)).body.scan.id;
    const row = await database.client.scan.findFirstOrThrow({ where: { id: recent } });
    await database.client.scan.create({ data: { ...row, id: generateId(scannedAt), scannedAt } });
    await database.client.scan.deleteMany({ where: { id: recent } });
  }
  await scanAt(id);
  await setPackageLimit(test, 'FREE', { scansKeptDays: 30 });
  await browser.open(getPath(id));
  t.match(browser.main, '1 scan<');
  t.notMatch(browser.main, '<figure class="map">');
});
