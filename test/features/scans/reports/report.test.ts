import { createHash } from 'node:crypto';
import { DAY_MS } from '../../../../src/shared/durations.ts';
import { generateAbsentId } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { captureAuditEntries } from '../../audit-trail-helper.ts';
import { isProblem, queryDatabase } from '../../identity/accounts/helper.ts';
import { BERLIN_COORDINATE_PATTERN, BERLIN_POSITION, startScans } from '../helper.ts';
import { insertScatteredScans } from '../statistics/helper.ts';

const HOSTILE = `</title></h1><script>alert(1)</script><img src=x onerror=alert(2)>"'&\`{{7*7}}`;

const test = await startScans(t);
const { call, owner } = test;
const token = owner.accessToken;

const report = async (query = '') => call('GET', `/api/scans/report?${query}`, { token });
const now = Date.now();
const rex = await test.code();
const hostile = await test.code({ title: HOSTILE });
const foreign = await test.code({ title: 'Foreign' }, await test.createUser());
await insertScatteredScans(test, [rex, hostile], 600, [new Date(now - 58 * DAY_MS), new Date(now)]);
await insertScatteredScans(test, [foreign], 50, [new Date(now - DAY_MS), new Date(now)]);
await test.scan({ qrCodeId: rex, ...BERLIN_POSITION });
await test.scan({ qrCodeId: rex, ...BERLIN_POSITION });

t.test('a report is one page with the numbers of the statistics', async (t) => {
  const entries = await captureAuditEntries(test, async () => {
    const { status, text, headers } = await report();
    t.equal(status, 200, text);
    t.match(headers, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    const { body } = await call('GET', '/api/scans/stats', { token });
    const values = [...text.matchAll(/<dd class="value">([^<]*)</g)].map(([, value]) => value);
    t.same(
      values,
      [body.total, body.humans, body.unique].map((number) => number.toLocaleString('en')),
    );
    // The scans are scattered by chance.
    const isSame = body.total === body.previous.total;
    t.match(text, `in the 30 days before${isSame ? '' : ` (${body.previous.total})`}`);
    const days = text.slice(text.indexOf('Scans by day as a table'), text.indexOf('class="bars"'));
    const codes = text.slice(text.indexOf('id="codes"'), text.indexOf('id="hours"'));
    const rows = [...codes.matchAll(/<td class="number">(\d+)</g)].map(([, count]) => Number(count));
    t.equal(rows.length, 2 * 3, 'scans, by people and unique of two codes');
    t.equal((rows[0] ?? 0) + (rows[3] ?? 0), body.total);
    t.equal((rows[1] ?? 0) + (rows[4] ?? 0), body.humans);
    t.equal((rows[2] ?? 0) + (rows[5] ?? 0), body.unique);
    const cells = [...text.matchAll(/<td class="shade\d">(\d+)</g)].map(([, count]) => Number(count));
    t.equal(cells.length, 7 * 24);
    t.equal(
      cells.reduce((sum, count) => sum + count, 0),
      body.humans,
    );
    t.same(
      [...days.matchAll(/<tr><th scope="row">[^<]*<\/th><td class="number">(\d+)</g)].map(([, total]) =>
        Number(total),
      ),
      body.series.map(({ total }: { total: number }) => total),
    );
    t.match(text, 'Berlin, Germany');
    t.match(text, '>Last scanned ');
    t.equal(text.match(/<time /g)?.length, 20);
    t.match(text, '(+1 repeat)</td>', 'the scan after that of Berlin');
    t.notMatch(text, 'Foreign');
  });
  t.same(entries, [], 'it shows no more than the statistics, and leaves no entry');
});

t.test('a report escapes hostile titles and contains no exact position', async (t) => {
  for (const query of ['', `qrCodeId=${hostile}`]) {
    const { text, headers } = await report(query);
    t.notMatch(text, /<script|<img|onerror=alert\(2\)>|\{\{7\*7\}\}`/);
    t.match(text, '&#60;script&#62;alert(1)&#60;/script&#62;');
    t.notMatch(text, /<[^>]* (?:style|on\w+)=|javascript:|<use|<foreignObject|xlink/i);
    t.notMatch(text, BERLIN_COORDINATE_PATTERN);
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
    const policy = String(headers['content-security-policy']);
    t.match(policy, `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    t.match(policy, /^default-src 'none'; .*frame-ancestors 'none'; object-src 'none'$/);
    t.notMatch(policy, /unsafe|script-src/);
    t.notMatch(text.replaceAll('http://www.w3.org', ''), /https?:\/\//, 'nothing from other hosts');
  }
});

t.test('a report has landmarks, headings and text alternatives for screen readers', async (t) => {
  const { text } = await report();
  t.match(text, /^<!doctype html>\n<html lang="en" dir="ltr">/);
  for (const landmark of ['<header>', '<main>', '<footer>']) t.equal(text.split(landmark).length, 2);
  const levels = [...text.matchAll(/<h(\d)[ >]/g)].map(([, level]) => Number(level));
  t.same(levels, [1, ...levels.slice(1).map(() => 2)], 'one main heading, the others below it');
  const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id ?? '');
  t.same(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
    'no id twice',
  );
  const pictures = [...text.matchAll(/<svg [^>]*role="img"[\s\S]*?<\/svg>/g)].map(([picture]) => picture);
  t.equal(pictures.length, 3, 'the line for wide and for narrow screens, and the map');
  for (const picture of pictures) {
    t.match(
      picture,
      /^<svg [^>]*viewBox="0 0 \d+ \d+" role="img" aria-labelledby="[\w-]+ [\w-]+"[^>]*><title id="[\w-]+">[^<]+<\/title><desc id="[\w-]+">[^<]+<\/desc>/,
    );
    t.match(picture, /<path|<rect/);
    t.notMatch(picture, /NaN|undefined/);
  }
  for (const [, named = ''] of text.matchAll(/aria-labelledby="([^"]*)"/g))
    for (const id of named.split(' ')) t.ok(ids.includes(id), `${id} is there`);
  t.equal(text.match(/<details>/g)?.length, 1, 'the line has a table; the map has one beside it');
  for (const rule of [
    '@media print',
    '@media screen and (prefers-color-scheme:dark)',
    '@media(max-width:40rem)',
  ])
    t.ok(text.includes(rule), rule);
});

t.test('a report can be limited to a code and a period, in any time zone', async (t) => {
  const one = (await report(`qrCodeId=${rex}&from=2026-01-05&to=2026-01-12&timeZone=Asia/Kathmandu`)).text;
  t.match(one, '<h1>Rex</h1>');
  t.match(one, '5 January 2026 to 11 January 2026 (Asia/Kathmandu)');
  t.match(one, 'No scans in this period.');
  t.match(one, 'none in the previous period either');
  t.notMatch(one, '<th scope="col">Code</th>');
  t.equal(one.match(/<svg /g)?.length, 2, 'no empty bar charts');
  t.notMatch(one, 'Most scanned codes');
  const stats = (await call('GET', `/api/qrcodes/${rex}/stats`, { token })).body;
  t.match((await report(`qrCodeId=${rex}`)).text, `<dd class="value">${stats.total}<`);
  for (const [query, heading] of [
    ['from=2026-01-05&to=2026-01-06', 'Scans by hour'],
    ['from=2025-01-01&to=2026-01-01', 'Scans by week'],
    ['from=2019-01-01&to=2026-01-01', 'Scans by month'],
  ] as const)
    t.match((await report(query)).text, `${heading}</h2>`, query);
  await queryDatabase(test, "UPDATE users SET time_zone = 'America/New_York' WHERE id = $1", owner.id);
  t.match((await report()).text, ' (America/New_York)');
});

t.test('a report is available to the owner only, and rejects invalid parameters', async (t) => {
  for (const id of [foreign, generateAbsentId()])
    t.ok(isProblem(await report(`qrCodeId=${id}`), 404, 'NOT_FOUND'));
  for (const query of [
    'format=docx',
    'timeZone=Mars',
    'from=2026-02-01&to=2026-01-01',
    'from=1990-01-01',
    'qrCodeId=1',
  ])
    t.ok(isProblem(await report(query), 400, 'VALIDATION_FAILED'), query);
});

t.test('a new account has a report, too', async (t) => {
  const { accessToken } = await test.createUser();
  const { status, text } = await call('GET', '/api/scans/report', { token: accessToken });
  t.equal(status, 200, text);
  t.match(text, 'No scans in this period.');
  t.match(text, 'None in this period.');
});

t.test(
  'parallel reports of an account beyond the queue are 429 with Retry-After, the others are created',
  async (t) => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => report()));
    const statuses = answers.map(({ status }) => status);
    t.ok(statuses.filter((status) => status === 200).length >= 10, `${statuses}`);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      t.ok(isProblem(answer, 429, 'RATE_LIMITED'), answer.text);
      t.ok(answer.headers['retry-after']);
    }
    t.equal((await report()).status, 200);
  },
);
