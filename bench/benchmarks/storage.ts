import pg from 'pg';
import { mergeRollups } from '../../src/features/scans/statistics/merge-rollups.job.ts';
import type { OwnBenchmark } from '../benchmark.ts';
import { withClient, withScratchDatabase } from '../scratch-database.ts';
import type { Measurement } from '../table.ts';

const SCANS = 1_000_000;
const CODES = 100_000;
const OWNERS = 20_000;

const MIB = 2 ** 20;
const MAX_RATIO = 0.2;

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

/** Compare the bytes of the roll-ups of a month in which each code was scanned about ten times with those before merging. */
export const storageBenchmark: OwnBenchmark = {
  world: 'OWN',
  measure: ({ scale, binariesFolder, onProgress }) =>
    withScratchDatabase(
      ({ ownerUrl }) =>
        withClient(ownerUrl, (client) => measureMergedRollups(client, ownerUrl, scale(SCANS), onProgress)),
      { binariesFolder },
    ),
};

async function measureMergedRollups(
  client: pg.Client,
  url: string,
  scans: number,
  onProgress: (text: string) => void,
): Promise<Measurement[]> {
  await client.query(SCANS_SQL, [scans]);
  for (const subject of ['code', 'owner']) {
    await client.query(createRollupsSql(subject, 'QUARTER_HOUR', '15 minutes'));
    await client.query(createRollupsSql(subject, 'DAY', '1 day'));
  }
  await client.query('VACUUM (ANALYZE) scan_rollups');
  const [sums, before] = [await readSums(client), await readTableSize(client, 'scan_rollups')];
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    onProgress(`${await mergeRollups({ pool })} months of codes and owners merged`);
  } finally {
    await pool.end();
  }
  if ((await readSums(client)) !== sums) throw new Error('Sums differ.');
  const after = await readTableSize(client, 'scan_rollup_months');
  const { rows } = await client.query<{ mib: number }>(
    `SELECT coalesce(sum(pg_column_size(kept.*)), 0)::float8 / ${MIB} AS mib FROM scan_rollups AS kept`,
  );
  const named = { row: 'storage, merged roll-ups', unit: 'MiB', ratioGoal: { max: MAX_RATIO } };
  const heapMib = after.heapMib + (rows[0]?.mib ?? 0);
  return [
    { ...named, measure: 'table', service: [heapMib], baseline: [before.heapMib] },
    { ...named, measure: 'index', service: [after.indexMib], baseline: [before.indexMib] },
  ];
}

async function readSums(client: pg.Client): Promise<string> {
  return JSON.stringify((await client.query(SUM_SQL)).rows[0]);
}

async function readTableSize(
  client: pg.Client,
  table: string,
): Promise<{ heapMib: number; indexMib: number }> {
  const { rows } = await client.query<{ heap: string; indexes: string }>(
    'SELECT pg_table_size($1::regclass) AS heap, pg_indexes_size($1::regclass) AS indexes',
    [table],
  );
  return { heapMib: Number(rows[0]?.heap) / MIB, indexMib: Number(rows[0]?.indexes) / MIB };
}
