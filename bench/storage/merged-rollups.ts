import pg from 'pg';
import { mergeRollups } from '../../src/features/scans/statistics/merge-rollups.job.ts';
import type { Measurement } from '../table.ts';
import { createMeasurement, readTableSize } from './table-statistics.ts';

const SCANS = 1_000_000;
const CODES = 100_000;
const OWNERS = 20_000;

const MIB = 2 ** 20;

// Scans of one month, evenly over codes and time.
const SCANS_SQL = `
  CREATE TEMPORARY TABLE bench_scans AS
  SELECT n, date_trunc('month', now(), 'UTC') - interval '2 months' + (n / $1::float8) * interval '28 days' AS at,
         substr(md5('code' || code), 1, 24) AS code, substr(md5('owner' || code % ${OWNERS}), 1, 24) AS owner
  FROM (SELECT n, (hashint8extended(n, 7) & 2147483647) % ($1::int / ${SCANS / CODES}) AS code
        FROM generate_series(1, $1::int) AS n) AS scan`;

const createCountsSql = (name: string, values: string) =>
  `'${name}', jsonb_build_object((ARRAY[${values}])[1 + min(n) % 4], jsonb_build_array(count(*), 1, 1))`;

// The breakdown is that of the first scan of a bucket; most buckets have only one. One in four has a place.
const createRollupsSql = (subject: string, size: string, interval: string) => `
  INSERT INTO scan_rollups (subject_id, bucket_size, starts_at, total, humans, uniques, breakdown)
  SELECT ${subject}, '${size}', date_bin('${interval}', at, '2000-01-01Z') AS starts_at, count(*), 1, 1,
         jsonb_build_object(
           ${createCountsSql('class', `'HUMAN', 'HUMAN', 'HUMAN', 'BOT'`)},
           ${createCountsSql('device', `'phone', 'phone', 'tablet', 'desktop'`)},
           ${createCountsSql('os', `'Android', 'iOS', 'Android', 'Windows'`)},
           ${createCountsSql('browser', `'Chrome', 'Safari', 'Firefox', 'Chrome'`)})
         || CASE WHEN min(n) % 4 = 0 THEN '{"city": {"Berlin, DE": [1, 1, 1]}, "country": {"DE": [1, 1, 1]}}' ELSE '{}'::jsonb END
  FROM bench_scans GROUP BY 1, 3 ORDER BY 3`;

const SUM_SQL = `
  SELECT sum(total) AS total, count(DISTINCT subject_id) AS subjects FROM (
    SELECT subject_id, total FROM scan_rollups WHERE bucket_size = 'QUARTER_HOUR'
    UNION ALL SELECT subject_id, total FROM scan_rollup_month_buckets) AS kept`;

/** Measure the bytes of the roll-ups of a month in which each code was scanned about ten times, before and after merging. */
export async function measureMergedRollups(
  client: pg.Client,
  url: string,
  share: number,
): Promise<Measurement[]> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    await client.query(
      'DROP TABLE IF EXISTS bench_scans; TRUNCATE scan_rollups, scan_rollup_months; UPDATE scan_rollup_merge_state SET merged_before = DEFAULT, last_subject_id = DEFAULT',
    );
    await client.query(SCANS_SQL, [SCANS * share]);
    for (const subject of ['code', 'owner'])
      for (const [size, interval] of [
        ['QUARTER_HOUR', '15 minutes'],
        ['DAY', '1 day'],
      ] as const)
        await client.query(createRollupsSql(subject, size, interval));
    await client.query('VACUUM (ANALYZE) scan_rollups');
    const sums = (await client.query(SUM_SQL)).rows[0];
    const before = await readTableSize(client, 'scan_rollups');
    const startedAt = process.hrtime.bigint();
    const merged = await mergeRollups({ pool });
    const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
    process.stderr.write(`${merged} months of codes and owners merged in ${seconds.toFixed(0)} s\n`);
    const mergedSums = (await client.query(SUM_SQL)).rows[0];
    if (JSON.stringify(sums) !== JSON.stringify(mergedSums)) throw new Error('Sums differ.');
    const after = await readTableSize(client, 'scan_rollup_months');
    const left = await client.query<{ bytes: string }>(
      'SELECT coalesce(sum(pg_column_size(kept.*)), 0) AS bytes FROM scan_rollups AS kept',
    );
    const leftMib = Number(left.rows[0]?.bytes) / MIB;
    return [
      createMeasurement(['roll-ups', 'table', 'MiB'], after.heapMib + leftMib, before.heapMib, { max: 0.2 }),
      createMeasurement(['roll-ups', 'index', 'MiB'], after.indexMib, before.indexMib, { max: 0.2 }),
    ];
  } finally {
    await pool.end();
  }
}
