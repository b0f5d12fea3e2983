import { querySql, type SqlConnection } from '../../../platform/sql.ts';
import { DAY_SECONDS } from '../../../shared/durations.ts';

export type ScanBucketSize = 'QUARTER_HOUR' | 'DAY';

export interface DirtyScanBucket {
  subjectId: string;
  startsAt: Date;
}

/** The lock table is shared by the whole server. */
const MAX_LOCKED_BUCKETS = 250;

const BUCKET_INTERVALS: Record<ScanBucketSize, string> = { QUARTER_HOUR: '15 minutes', DAY: '1 day' };
const BUCKET_SECONDS: Record<ScanBucketSize, number> = { QUARTER_HOUR: 900, DAY: DAY_SECONDS };

/** A 15-minute bucket is due once over, a day once none of its buckets is dirty. For a row `dirty`. */
export const DUE_SCAN_BUCKET_CONDITIONS: Record<ScanBucketSize, string> = {
  QUARTER_HOUR: 'true',
  DAY: `NOT EXISTS (SELECT FROM scan_dirty_buckets AS part
    WHERE part.subject_id = dirty.subject_id AND part.bucket_size = 'QUARTER_HOUR'
      AND part.starts_at >= dirty.starts_at AND part.starts_at < dirty.starts_at + interval '1 day')`,
};

export async function listDirtyScanBuckets(
  connection: SqlConnection,
  bucketSize: ScanBucketSize,
  after: DirtyScanBucket | null,
  limit: number,
  dueBy: Date | null = null,
): Promise<DirtyScanBucket[]> {
  const rows = await querySql<DirtyScanBucket>(connection, { isPrepared: true })({
    text: `SELECT subject_id AS "subjectId", starts_at AS "startsAt" FROM scan_dirty_buckets AS dirty
      WHERE bucket_size = $1 AND starts_at <= coalesce($6::timestamptz, now()) - $2::interval
        AND (starts_at, subject_id) > ($3::timestamptz, $4::text) AND ${DUE_SCAN_BUCKET_CONDITIONS[bucketSize]}
      ORDER BY starts_at, subject_id LIMIT $5`,
    values: [
      bucketSize,
      BUCKET_INTERVALS[bucketSize],
      after?.startsAt ?? '-infinity',
      after?.subjectId ?? '',
      limit,
      dueBy,
    ],
  });
  const starts = [...new Set(rows.map(({ startsAt }) => startsAt.getTime()))];
  const last = starts[MAX_LOCKED_BUCKETS - 1];
  return last === undefined ? rows : rows.filter(({ startsAt }) => startsAt.getTime() <= last);
}

/** Buckets locked by others are skipped without waiting. */
export async function tryLockScanBuckets(
  connection: SqlConnection,
  bucketSize: ScanBucketSize,
  buckets: readonly DirtyScanBucket[],
): Promise<DirtyScanBucket[]> {
  const starts = [...new Set(buckets.map(({ startsAt }) => startsAt.getTime()))];
  const rows = await querySql<{ bucket: number }>(connection, { isPrepared: true })({
    text: `SELECT number AS bucket FROM unnest($2::int[]) AS number
      WHERE pg_try_advisory_xact_lock(hashtext('scan bucket ' || $1), number)`,
    values: [bucketSize, starts.map((start) => start / 1000 / BUCKET_SECONDS[bucketSize])],
  });
  const lockedStarts = new Set(rows.map((row) => row.bucket * BUCKET_SECONDS[bucketSize] * 1000));
  return buckets.filter(({ startsAt }) => lockedStarts.has(startsAt.getTime()));
}

export interface ScanRollUpLag {
  buckets: number;
  since: Date | null;
}

export async function getScanRollUpLag(connection: SqlConnection): Promise<ScanRollUpLag> {
  const rows = await querySql<ScanRollUpLag>(connection)`
     SELECT count(*)::int AS buckets, min(starts_at) AS since FROM scan_dirty_buckets
     WHERE bucket_size = 'QUARTER_HOUR' AND starts_at <= now() - interval '15 minutes'`;
  return rows[0] ?? { buckets: 0, since: null };
}
