import type pg from 'pg';
import type { Measurement } from '../table.ts';
import { createMeasurement, readTableSize } from './table-statistics.ts';

const QUARTER_HOURS = 24;
const BUCKETS = 50_000;

/** Of the statements that store scans, and of a roll-up. */
const BATCH_SIZE = 1_000;

const TABLE = 'scan_dirty_buckets';
const BASELINE_TABLE = 'bench_dirty_buckets';

/**
 * Measure how large the table grows while every 15 minutes as many buckets come and go, beside as many days that stay:
 * that of the service, and a copy with default settings.
 */
export async function measureDirtyBuckets(client: pg.Client, share: number): Promise<Measurement[]> {
  const count = Math.round(BUCKETS * share);
  await client.query(`DROP TABLE IF EXISTS ${BASELINE_TABLE}`);
  await client.query(`CREATE TABLE ${BASELINE_TABLE} (LIKE ${TABLE} INCLUDING ALL)`);
  await client.query(`TRUNCATE ${TABLE}`);
  const largest = new Map([TABLE, BASELINE_TABLE].map((table) => [table, { heapMib: 0, indexMib: 0 }]));
  for (const table of largest.keys()) await insertBuckets(client, table, count, 'DAY', 0);
  for (let quarter = 0; quarter < QUARTER_HOURS; quarter += 1) {
    for (const [table, size] of largest) {
      await insertBuckets(client, table, count, 'QUARTER_HOUR', quarter);
      await deleteBuckets(client, table);
      const { heapMib, indexMib } = await readTableSize(client, table);
      size.heapMib = Math.max(size.heapMib, heapMib);
      size.indexMib = Math.max(size.indexMib, indexMib);
    }
  }
  const [service, baseline] = [largest.get(TABLE), largest.get(BASELINE_TABLE)];
  if (!service || !baseline) throw new Error('Nothing was measured.');
  return [
    createMeasurement([TABLE, 'largest table', 'MiB'], service.heapMib, baseline.heapMib, { max: 1.05 }),
    createMeasurement([TABLE, 'largest index', 'MiB'], service.indexMib, baseline.indexMib, { max: 1.05 }),
  ];
}

async function insertBuckets(
  client: pg.Client,
  table: string,
  count: number,
  bucketSize: 'DAY' | 'QUARTER_HOUR',
  quarter: number,
): Promise<void> {
  for (let from = 1; from <= count; from += BATCH_SIZE)
    await client.query(
      `INSERT INTO ${table} (bucket_size, starts_at, subject_id)
       SELECT $1, timestamptz '2026-01-01Z' + $2::int * interval '15 minutes', substr(md5(n::text), 1, 24)
       FROM generate_series($3::int, $4::int) AS n ON CONFLICT DO NOTHING`,
      [bucketSize, quarter, from, Math.min(count, from + BATCH_SIZE - 1)],
    );
}

/** Delete all but days, like a roll-up. */
async function deleteBuckets(client: pg.Client, table: string): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ startsAt: Date; subjectId: string }>(
      `SELECT starts_at AS "startsAt", subject_id AS "subjectId" FROM ${table}
       WHERE bucket_size = 'QUARTER_HOUR' ORDER BY starts_at, subject_id LIMIT ${BATCH_SIZE}`,
    );
    if (rows.length === 0) return;
    await client.query(
      `DELETE FROM ${table} AS dirty USING unnest($1::timestamptz[], $2::text[]) AS requested (starts_at, subject_id)
       WHERE bucket_size = 'QUARTER_HOUR' AND dirty.starts_at = requested.starts_at
         AND dirty.subject_id = requested.subject_id`,
      [rows.map(({ startsAt }) => startsAt), rows.map(({ subjectId }) => subjectId)],
    );
  }
}
