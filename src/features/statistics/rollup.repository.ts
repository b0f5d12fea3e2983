import type { DriverConnection } from '../../platform/driver-transaction.ts';

/** What scans are counted over. */
export type BucketSize = 'QUARTER' | 'DAY';

/** A span of a code or owner that waits to be counted again. */
export interface DirtyBucket {
  subjectId: string;
  startsAt: Date;
}

/** Spans held in one transaction, at most: the server's memory for locks is shared by all. */
const MAX_LOCKED_BUCKETS = 250;

const BUCKET_INTERVALS: Record<BucketSize, string> = { QUARTER: '15 minutes', DAY: '1 day' };
const BUCKET_SECONDS: Record<BucketSize, number> = { QUARTER: 900, DAY: 86_400 };

/** A quarter is counted once it is over; a day, once none of its quarters waits. Of a row of scan_stale_spans, `stale`. */
export const DUE_CONDITIONS: Record<BucketSize, string> = {
  QUARTER: 'true',
  DAY: `NOT EXISTS (SELECT FROM scan_stale_spans AS quarter
    WHERE quarter.subject_id = stale.subject_id AND quarter.span = 'QUARTER'
      AND quarter.starts_at >= stale.starts_at AND quarter.starts_at < stale.starts_at + interval '1 day')`,
};

/**
 * Spans of a kind that are over (at `by`, now where that is null) and wait to be counted again, the oldest first, those
 * after `after`; at most so many.
 */
export async function listDirtyBuckets(
  connection: DriverConnection,
  span: BucketSize,
  after: DirtyBucket | null,
  limit: number,
  by: Date | null = null,
): Promise<DirtyBucket[]> {
  const { rows } = await connection.query<DirtyBucket>({
    name: `stale-spans-${span}`,
    text: `SELECT subject_id AS "subjectId", starts_at AS "startsAt" FROM scan_stale_spans AS stale
      WHERE span = $1 AND starts_at <= coalesce($6::timestamptz, now()) - $2::interval
        AND (starts_at, subject_id) > ($3::timestamptz, $4::text) AND ${DUE_CONDITIONS[span]}
      ORDER BY starts_at, subject_id LIMIT $5`,
    values: [span, BUCKET_INTERVALS[span], after?.startsAt ?? '-infinity', after?.subjectId ?? '', limit, by],
  });
  const starts = [...new Set(rows.map(({ startsAt }) => startsAt.getTime()))];
  const last = starts[MAX_LOCKED_BUCKETS - 1];
  return last === undefined ? rows : rows.filter(({ startsAt }) => startsAt.getTime() <= last);
}

/**
 * Makes this transaction the only one that stores or counts scans of those spans that are answered; the others are left
 * out, without waiting.
 */
export async function lockBucketsToCount(
  connection: DriverConnection,
  span: BucketSize,
  spans: readonly DirtyBucket[],
): Promise<DirtyBucket[]> {
  const starts = [...new Set(spans.map(({ startsAt }) => startsAt.getTime()))];
  const { rows } = await connection.query<{ held: number }>({
    name: 'hold-spans-to-count',
    text: `SELECT number AS held FROM unnest($2::int[]) AS number
      WHERE pg_try_advisory_xact_lock(hashtext('scans of a ' || $1), number)`,
    values: [span, starts.map((start) => start / 1000 / BUCKET_SECONDS[span])],
  });
  const held = new Set(rows.map((row) => row.held * BUCKET_SECONDS[span] * 1000));
  return spans.filter(({ startsAt }) => held.has(startsAt.getTime()));
}

/** How far counting is behind: quarters of codes and owners that are over and wait, and where the oldest begins. */
export interface RollUpLag {
  spans: number;
  since: Date | null;
}

/** How far counting is behind now. */
export async function getRollUpLag(connection: DriverConnection): Promise<RollUpLag> {
  const { rows } = await connection.query<{ spans: string; since: Date | null }>(
    `SELECT count(*) AS spans, min(starts_at) AS since FROM scan_stale_spans
     WHERE span = 'QUARTER' AND starts_at <= now() - interval '15 minutes'`,
  );
  return { spans: Number(rows[0]?.spans ?? 0), since: rows[0]?.since ?? null };
}
