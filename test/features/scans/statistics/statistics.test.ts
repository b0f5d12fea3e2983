import { randomInt } from 'node:crypto';
import { mergeRollups } from '../../../../src/features/scans/statistics/merge-rollups.job.ts';
import { rollUpScanCounts } from '../../../../src/features/scans/statistics/roll-up.ts';
import {
  countScansByWeekdayAndHour,
  listTopCodes,
} from '../../../../src/features/scans/statistics/statistics.repository.ts';
import { parseStatisticsPeriods } from '../../../../src/features/scans/statistics/statistics-period.rules.ts';
import { generateAbsentId, type TestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { isProblem } from '../../identity/accounts/helper.ts';
import { startScans } from '../helper.ts';
import { insertScatteredScans } from './helper.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Adelaide',
  'Australia/Lord_Howe',
];

/** The expected counts, by plain SQL over the scans. */
async function countPlainly(
  test: Pick<TestApp, 'database'>,
  column: string,
  id: string,
  body: Record<string, string>,
) {
  const counts = `count(*)::int AS total, count(*) FILTER (WHERE class = 'HUMAN')::int AS humans,
    count(*) FILTER (WHERE is_unique)::int AS "unique"`;
  const where = `${column} = $1 AND scanned_at >= $2::timestamptz AND scanned_at < $3::timestamptz`;
  const values = [id, body.from, body.to];
  const query = async (text: string, more: unknown[] = []) =>
    (await test.database.pool.query(text, [...values, ...more])).rows;
  const series = await query(
    `SELECT date_trunc($4, scanned_at, $5) AS "startsAt", ${counts} FROM scans WHERE ${where} GROUP BY 1 ORDER BY 1`,
    [body.interval, body.timeZone],
  );
  const [all] = await query(`SELECT ${counts} FROM scans WHERE ${where}`);
  const by = (value: string) =>
    query(
      `SELECT ${value} AS value, ${counts} FROM scans WHERE ${where} AND ${value} IS NOT NULL GROUP BY 1 ORDER BY total DESC, 1`,
    );
  return {
    all,
    series,
    countries: await by('country'),
    browsers: await by('browser'),
    classes: await by('class'),
  };
}

t.test('counts by code, and by weekday and hour, equal the scans, merged or not', async (t) => {
  const test = await startScans(t);
  const { database, owner } = test;
  const codes = [await test.code({ title: 'One' }), await test.code({ title: 'Two' }), await test.code()];
  const [foreign, deleted] = [await test.code({}, await test.createUser()), codes[2] ?? ''];
  await insertScatteredScans(test, [...codes, foreign], 1_200, [
    new Date('2025-10-20T00:00:00Z'),
    new Date('2025-10-30T00:00:00Z'),
  ]);
  await test.call('DELETE', `/api/qrcodes/${deleted}`, { token: owner.accessToken });
  const counts = `count(*)::int AS total, count(*) FILTER (WHERE class = 'HUMAN')::int AS humans,
    count(*) FILTER (WHERE is_unique)::int AS "unique"`;
  const where = 'scan.account_id = $1 AND scanned_at >= $2 AND scanned_at < $3';
  for (const state of ['STORED', 'ROLLED_UP', 'MERGED'] as const) {
    if (state === 'ROLLED_UP') await rollUpScanCounts(database);
    if (state === 'MERGED') {
      await mergeRollups(database, { maxBuckets: 10_000 });
      // Some are dirty again.
      await insertScatteredScans(test, codes.slice(0, 2), 20, [
        new Date('2025-10-24T00:00:00Z'),
        new Date('2025-10-28T00:00:00Z'),
      ]);
    }
    for (const timeZone of ZONES)
      for (const [from, to] of [
        ['2025-10-21', '2025-10-29'],
        ['2025-10-26', '2025-10-27'],
        ['2025-10-25T10:15:00Z', '2025-10-25T11:30:00Z'],
      ] as const) {
        const { period } = parseStatisticsPeriods(
          { from, to, interval: 'day' },
          { type: 'OWNER', id: owner.id },
          timeZone,
          new Date(),
        );
        const values = [owner.id, period.from, period.to];
        const byCode = await database.pool.query(
          `SELECT title, ${counts} FROM scans AS scan JOIN qr_codes AS code ON code.id = qr_code_id
           WHERE ${where} AND status <> 'DELETED' GROUP BY code.id ORDER BY total DESC, code.id`,
          values,
        );
        t.same(await listTopCodes(database.pool, period, 10), byCode.rows, `${from} ${timeZone}`);
        t.same(await listTopCodes(database.pool, period, 1), byCode.rows.slice(0, 1));
        const byHour = await database.pool.query(
          `SELECT extract(isodow FROM scanned_at AT TIME ZONE $4)::int AS weekday,
                  extract(hour FROM scanned_at AT TIME ZONE $4)::int AS hour, ${counts}
           FROM scans AS scan WHERE ${where} GROUP BY 1, 2 ORDER BY 1, 2`,
          [...values, timeZone],
        );
        t.same(await countScansByWeekdayAndHour(database.pool, period, timeZone), byHour.rows, timeZone);
      }
  }
});

t.test('sums equal the scans, merged or not, in every time zone and across clock changes', async (t) => {
  const test = await startScans(t);
  const { call, owner, database } = test;
  const token = owner.accessToken;
  const codes = [await test.code(), await test.code()];
  // Clock changes: Berlin 26 October 2025 and 29 March 2026, Adelaide 5 October 2025 and 5 April 2026, Lord
  // Howe Island the same days by half an hour.
  await insertScatteredScans(test, codes, 1500, [
    new Date('2025-10-01T00:00:00Z'),
    new Date('2026-04-20T00:00:00Z'),
  ]);
  await insertScatteredScans(test, codes, 400, [
    new Date('2025-10-25T20:00:00Z'),
    new Date('2025-10-26T08:00:00Z'),
  ]);
  for (const state of ['STORED', 'ROLLED_UP', 'MERGED'] as const) {
    if (state === 'ROLLED_UP') await rollUpScanCounts(database);
    if (state === 'MERGED') {
      await mergeRollups(database, { maxBuckets: 10_000 });
      // Some are dirty again.
      await insertScatteredScans(test, codes.slice(0, 2), 60, [
        new Date('2025-10-24T00:00:00Z'),
        new Date('2025-11-01T00:00:00Z'),
      ]);
    }
    for (const timeZone of ZONES) {
      for (const [interval, from, to] of [
        ['hour', '2025-10-25', '2025-10-28'],
        ['hour', '2025-10-04', '2025-10-08'],
        ['day', '2025-10-01', '2025-11-02'],
        ['week', '2025-12-01', '2026-04-10'],
        ['month', '2025-10-01', '2026-04-01'],
      ] as const) {
        const query = `?from=${from}&to=${to}&interval=${interval}&timeZone=${timeZone}`;
        for (const [url, column, id] of [
          [`/api/qrcodes/${codes[0]}/stats`, 'qr_code_id', codes[0]],
          ['/api/scans/stats', 'account_id', owner.id],
        ] as const) {
          const { status, body, text } = await call('GET', url + query, { token });
          t.equal(status, 200, text);
          const expected = await countPlainly(test, column, id ?? '', body);
          t.match(body, expected.all);
          const series = body.series.filter(({ total }: { total: number }) => total > 0);
          t.same(
            series,
            expected.series.map((row) => ({ ...row, startsAt: row.startsAt.toISOString() })),
          );
          for (const name of ['countries', 'browsers', 'classes'] as const)
            t.same(body[name], expected[name], `${name} ${query}`);
        }
      }
    }
  }
});

t.test('days with a clock change have 23 or 25 hours, and empty intervals are included', async (t) => {
  const test = await startScans(t);
  const { call, owner } = test;
  const id = await test.code();
  const hours = async (day: string, next: string) => {
    const query = `?from=${day}&to=${next}&interval=hour&timeZone=Europe/Berlin`;
    return (await call('GET', `/api/qrcodes/${id}/stats${query}`, { token: owner.accessToken })).body;
  };
  t.equal((await hours('2026-03-29', '2026-03-30')).series.length, 23);
  t.equal((await hours('2025-10-26', '2025-10-27')).series.length, 25);
  const usual = await hours('2026-01-05', '2026-01-06');
  t.equal(usual.series.length, 24);
  t.match(usual, { total: 0, humans: 0, unique: 0, firstScanAt: null, lastScanAt: null, countries: [] });
  t.match(usual.previous, { from: '2026-01-03T23:00:00.000Z', to: '2026-01-04T23:00:00.000Z', total: 0 });
  const across = (
    await call('GET', `/api/qrcodes/${id}/stats?from=2025-10-20&to=2025-11-03&timeZone=Europe/Berlin`, {
      token: owner.accessToken,
    })
  ).body;
  t.equal(across.series.length, 14);
  t.match(across.previous, { from: '2025-10-05T22:00:00.000Z', to: '2025-10-19T22:00:00.000Z' });
});

t.test('a day with two midnights begins with the first, like its scans', async (t) => {
  const test = await startScans(t);
  const id = await test.code();
  for (const at of ['2025-10-25T23:30Z', '2025-10-26T00:30Z', '2025-10-26T01:30Z', '2025-10-27T00:30Z']) {
    const moment = new Date(at);
    await insertScatteredScans(test, [id], 1, [moment, new Date(moment.getTime() + 1_000)]);
  }
  for (const isRolledUp of [false, true]) {
    if (isRolledUp) await rollUpScanCounts(test.database);
    const query = 'from=2025-10-25&to=2025-10-28&interval=day&timeZone=Atlantic/Azores';
    const { body } = await test.call('GET', `/api/qrcodes/${id}/stats?${query}`, {
      token: test.owner.accessToken,
    });
    t.same(
      body.series.map(({ startsAt, total }: { startsAt: string; total: number }) => [startsAt, total]),
      [
        ['2025-10-25T00:00:00.000Z', 1],
        ['2025-10-26T00:00:00.000Z', 3],
        ['2025-10-27T01:00:00.000Z', 0],
      ],
    );
  }
});

t.test('covers the last thirty days by default, including a scan of this moment', async (t) => {
  const test = await startScans(t);
  const { call, owner, scan } = test;
  const id = await test.code();
  const stats = async () =>
    (await call('GET', `/api/qrcodes/${id}/stats`, { token: owner.accessToken })).body;
  t.equal((await stats()).series.length, 30);
  await scan({ qrCodeId: id });
  await scan({ qrCodeId: id });
  await scan({ qrCodeId: id }, { headers: { 'user-agent': 'curl/8.5.0' } });
  const { total, humans, unique, series, classes, devices, lastScanAt } = await stats();
  t.same({ total, humans, unique }, { total: 3, humans: 1, unique: 1 });
  t.same(series.at(-1), { startsAt: series.at(-1).startsAt, total: 3, humans: 1, unique: 1 });
  t.same(classes.map(({ value }: { value: string }) => value).sort(), ['BOT', 'DUPLICATE', 'HUMAN']);
  t.same(devices.map(({ value }: { value: string }) => value).sort(), ['bot', 'phone']);
  t.ok(Date.now() - Date.parse(lastScanAt) < 60_000);
});

t.test('statistics are available to the owner only, and invalid parameters are named', async (t) => {
  const test = await startScans(t);
  const { call, owner } = test;
  const id = await test.code();
  const eve = await test.createUser();
  t.ok(
    isProblem(await call('GET', `/api/qrcodes/${id}/stats`, { token: eve.accessToken }), 404, 'NOT_FOUND'),
  );
  t.ok(
    isProblem(
      await call('GET', `/api/qrcodes/${generateAbsentId()}/stats`, { token: owner.accessToken }),
      404,
      'NOT_FOUND',
    ),
  );
  for (const [query, field] of [
    ['from=2026-01-02&to=2026-01-01', 'to'],
    ['from=2026-01-01T00:07:00Z', 'from'],
    ['interval=hour&from=2025-01-01&to=2026-01-01', 'from'],
    ['interval=minute', 'interval'],
    ['timeZone=Mars/Olympus', 'timeZone'],
    ['timeZone=%2B05:30', 'timeZone'],
    ['from=yesterday', 'from'],
    ['from=2026-02-30', 'from'],
    ['from=2026-02-30T00:00:00Z', 'from'],
    ['from=2026-1-1', 'from'],
    ['to=2026-01-01T00:00:00', 'to'],
  ] as const) {
    const answer = await call('GET', `/api/scans/stats?${query}`, { token: owner.accessToken });
    t.ok(isProblem(answer, 400, 'VALIDATION_FAILED'), answer.text);
    t.match(answer.body.errors, [{ field }], query);
  }
  const year = randomInt(1990, 2000);
  const empty = await call('GET', `/api/scans/stats?from=${year}-01-01&to=${year + 1}-01-01`, {
    token: owner.accessToken,
  });
  t.match(empty.body, { total: 0 });
});
