import type { ClientBase } from 'pg';
import { mergeRollups } from '../../src/features/scans/statistics/merge-rollups.job.ts';
import { rollUpScanCounts } from '../../src/features/scans/statistics/roll-up.ts';
import { startScans } from '../features/scans/helper.ts';
import { insertScatteredScans } from '../features/scans/statistics/helper.ts';
import { t } from '../tap.ts';
import { createReportingClients, queryTextValues } from './helper.ts';

const ago = (hours: number) => new Date(Date.now() - hours * 60 * 60 * 1000);

/** Days of one month, the one of 73 days ago, which is merged. */
function inEarlierMonth(day: number): Date {
  const then = ago(1_760);
  return new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth(), day));
}

const COUNTS = `count(*), count(*) FILTER (WHERE class = 'HUMAN'), count(*) FILTER (WHERE is_unique)`;
const VALUES = `(VALUES ('class', class), ('country', country), ('city', city || ', ' || country), ('device', device),
  ('os', os), ('browser', browser)) AS of_scan (dimension, value)`;
const COUNT_COLUMNS = 'total, humans, uniques';

const VIEWS: Record<string, [view: string, scans: string]> = {
  daily_code_counts: ['code_id, account_id, kind, day', 'code_id, account_id, kind, scanned_on'],
  daily_owner_counts: ['account_id, day', 'account_id, scanned_on'],
  quarter_hour_code_counts: [
    'code_id, account_id, kind, starts_at',
    `code_id, account_id, kind, date_bin('15 minutes', scanned_at, '2000-01-01Z')`,
  ],
  daily_code_breakdown: [
    'code_id, account_id, kind, day, dimension, value',
    'code_id, account_id, kind, scanned_on, dimension, value',
  ],
  daily_breakdown: ['day, dimension, value', 'scanned_on, dimension, value'],
};

async function differences(reader: ClientBase): Promise<string[]> {
  const differing: string[] = [];
  for (const [name, [columns, key]] of Object.entries(VIEWS)) {
    const values = key.includes('dimension') ? `CROSS JOIN LATERAL ${VALUES} WHERE value IS NOT NULL` : '';
    const view = `SELECT ${columns}, ${COUNT_COLUMNS} FROM reporting.${name}`;
    const scans = `SELECT ${key}, ${COUNTS} FROM reporting.scans ${values} GROUP BY ${key}`;
    const { rows } = await reader.query(
      `WITH of_view AS (${view}), of_scans AS (${scans})
       SELECT (SELECT count(*) FROM of_view)::int AS rows, (SELECT count(*) FROM (TABLE of_view EXCEPT ALL TABLE of_scans) AS a)::int
         + (SELECT count(*) FROM (TABLE of_scans EXCEPT ALL TABLE of_view) AS b)::int AS different`,
    );
    if (rows[0].different !== 0 || rows[0].rows === 0) differing.push(`${name}: ${JSON.stringify(rows[0])}`);
  }
  return differing;
}

t.test(
  'counts of the views equal the scans, rolled up, merged or not, in any time zone of the session',
  async (t) => {
    const test = await startScans(t);
    const { reader } = await createReportingClients(t, test);
    const codes = [await test.code(), await test.code({}, await test.createUser())];
    await insertScatteredScans(test, codes, 400, [ago(80), ago(0)]);
    await insertScatteredScans(test, codes, 80, [inEarlierMonth(10), inEarlierMonth(12)]);
    t.same(await differences(reader), [], 'nothing is rolled up yet');
    await rollUpScanCounts(test.database);
    t.same(await differences(reader), [], 'all past buckets are rolled up');
    t.equal(await mergeRollups(test.database), 4, 'of two codes and their owners');
    t.same(await differences(reader), [], 'earlier months are merged');
    await insertScatteredScans(test, codes, 20, [inEarlierMonth(10), inEarlierMonth(11)]);
    await insertScatteredScans(test, codes, 200, [ago(60), ago(0)]);
    t.same(await differences(reader), [], 'some of it has changed since');
    for (const zone of ['Asia/Kathmandu', 'America/New_York']) {
      await reader.query(`SET timezone = '${zone}'`);
      t.same(await differences(reader), [], zone);
    }
  },
);

t.test('counts of the views equal the scans while these are stored and rolled up', async (t) => {
  const test = await startScans(t);
  const { reader } = await createReportingClients(t, test);
  const codes = [await test.code(), await test.code()];
  let isStoring = true;
  const rollUps = (async () => {
    while (isStoring) await rollUpScanCounts(test.database);
  })();
  const inserts = (async () => {
    for (let round = 0; round < 20; round++) await insertScatteredScans(test, codes, 20, [ago(30), ago(25)]);
  })();
  const insertsEnd = inserts.finally(() => {
    isStoring = false;
  });
  await insertScatteredScans(test, codes, 1, [ago(30), ago(29)]);
  for (let round = 0; round < 8; round++) t.same(await differences(reader), []);
  await Promise.all([insertsEnd, rollUps]);
  t.same(await differences(reader), []);
});

t.test('quarter hours add up to days in the time zone of Kathmandu', async (t) => {
  const test = await startScans(t);
  const { reader } = await createReportingClients(t, test);
  await insertScatteredScans(test, [await test.code()], 300, [ago(80), ago(1)]);
  await rollUpScanCounts(test.database);
  const day = `AT TIME ZONE 'Asia/Kathmandu')::date AS day`;
  t.same(
    await queryTextValues(
      reader,
      `SELECT (starts_at ${day}, sum(total), sum(humans), sum(uniques) FROM reporting.quarter_hour_code_counts GROUP BY day ORDER BY day`,
    ),
    await queryTextValues(
      reader,
      `SELECT (scanned_at ${day}, ${COUNTS} FROM reporting.scans GROUP BY day ORDER BY day`,
    ),
  );
});

t.test('a query for some days of scans reads only their partitions', async (t) => {
  const test = await startScans(t);
  const { reader } = await createReportingClients(t, test);
  const plan = await queryTextValues(
    reader,
    `EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT count(*) FROM reporting.scans
     WHERE id >= reporting.scan_id_at(now() + interval '40 days') AND id < reporting.scan_id_at(now() + interval '41 days')`,
  );
  t.match(plan.join('\n'), /Subplans Removed: \d/);
  t.notMatch(plan.join('\n'), /qr_codes/, 'nor any other table');
});
