import { setImmediate as immediate } from 'node:timers/promises';
import type pg from 'pg';
import {
  createMarkBucketsDirtySql,
  createScanBucketLockSql,
} from '../../src/features/scans/dirty-buckets.repository.ts';
import { copyRowsIn } from './copy.ts';
import { type GeneratedScan, SCAN_COLUMNS } from './generate-scans.ts';

type ScanConnection = Pick<pg.ClientBase, 'query'>;

/** A transaction locks its buckets; limit them to so many 15-minute buckets and rows. */
const MAX_QUARTERS_PER_BATCH = 400;
const MAX_ROWS_PER_BATCH = 20_000;
const QUARTER_MS = 900_000;

const YIELD_EVERY_SCANS = 250;

export async function* splitIntoBatches(scans: Iterable<GeneratedScan>): AsyncGenerator<GeneratedScan[]> {
  let portion: GeneratedScan[] = [];
  let quarters = new Set<number>();
  for (const scan of scans) {
    portion.push(scan);
    quarters.add(Math.floor(scan.at.getTime() / QUARTER_MS));
    if (portion.length % YIELD_EVERY_SCANS === 0) await immediate();
    if (portion.length < MAX_ROWS_PER_BATCH && quarters.size < MAX_QUARTERS_PER_BATCH) continue;
    yield portion;
    portion = [];
    quarters = new Set();
  }
  if (portion.length > 0) yield portion;
}

const SCAN_ARRAYS_SQL = `unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::boolean[], $7::bytea[])
  AS made (id, qr_code_id, account_id, scanned_at, class, is_unique, visitor_hash)`;

const STORE_STATEMENTS = [
  `SELECT count(*) FROM (${createScanBucketLockSql(SCAN_ARRAYS_SQL)}) AS held`,
  `INSERT INTO scan_counts AS kept (qr_code_id, total, humans, uniques, last_scanned_at)
   SELECT qr_code_id, count(*), count(*) FILTER (WHERE class = 'HUMAN'), count(*) FILTER (WHERE is_unique), max(scanned_at)
   FROM ${SCAN_ARRAYS_SQL} GROUP BY qr_code_id ORDER BY qr_code_id
   ON CONFLICT (qr_code_id) DO UPDATE SET
     total = kept.total + excluded.total, humans = kept.humans + excluded.humans, uniques = kept.uniques + excluded.uniques,
     last_scanned_at = greatest(kept.last_scanned_at, excluded.last_scanned_at)`,
  `INSERT INTO scan_visitors AS seen (qr_code_id, day, visitor_hash, counted_at, counted_scan_id)
   SELECT DISTINCT ON (qr_code_id, day, visitor_hash) qr_code_id, day, visitor_hash, scanned_at, id
   FROM (SELECT *, (scanned_at AT TIME ZONE 'UTC')::date AS day FROM ${SCAN_ARRAYS_SQL} WHERE class = 'HUMAN') AS human
   WHERE day >= (now() AT TIME ZONE 'UTC')::date - 1
   ORDER BY qr_code_id, day, visitor_hash, scanned_at DESC
   ON CONFLICT (qr_code_id, day, visitor_hash) DO UPDATE SET
     counted_at = excluded.counted_at, counted_scan_id = excluded.counted_scan_id`,
  createMarkBucketsDirtySql(SCAN_ARRAYS_SQL),
];

/** Store scans with counts, visitors of today and yesterday, and dirty buckets, in one transaction. */
export async function storeScans(connection: ScanConnection, scans: readonly GeneratedScan[]): Promise<void> {
  const values = [
    ...[
      scans.map(({ id }) => id),
      scans.map(({ qrCodeId }) => qrCodeId),
      scans.map(({ accountId }) => accountId),
    ],
    ...[scans.map(({ at }) => at), scans.map((scan) => scan.class), scans.map(({ isUnique }) => isUnique)],
    scans.map(({ visitor }) => visitor),
  ];
  await connection.query('BEGIN');
  try {
    const lines = scans.map(({ line }) => line).join('');
    await copyRowsIn(connection, `COPY scans (${SCAN_COLUMNS}) FROM STDIN`, lines);
    for (const text of STORE_STATEMENTS) await connection.query(text, values);
    await connection.query('COMMIT');
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
