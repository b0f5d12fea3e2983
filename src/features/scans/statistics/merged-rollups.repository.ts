import { executeSql, querySql, type SqlConnection } from '../../../platform/sql.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import type { DirtyScanBucket } from './rollup.repository.ts';

/** Late scans, and the week that the dashboard reads, are before. */
const DAYS_BEFORE_MERGE = 14;
/** Clocks of instances differ. */
const DAYS_BEFORE_SPLIT = DAYS_BEFORE_MERGE - 1;

const LOCK_KEY_SQL = `hashtext('scan rollup merge')`;

/** Condition for the rows of `scan_rollup_month_buckets` that start from `since` until before `until`. */
export const createMergedRangeSql = (since: string, until: string) =>
  `month > ${since} - interval '31 days' AND month < ${until} AND starts_at >= ${since} AND starts_at < ${until}`;

/** Months that begin before it are over for long enough. */
export function getMergeLimit(now: Date, days = DAYS_BEFORE_MERGE): Date {
  const late = new Date(now.getTime() - days * DAY_MS);
  return new Date(Date.UTC(late.getUTCFullYear(), late.getUTCMonth(), 1));
}

/** Whether the month of a bucket may be merged already. */
export const isInMergedMonth = ({ startsAt }: DirtyScanBucket): boolean =>
  startsAt < getMergeLimit(new Date(), DAYS_BEFORE_SPLIT);

/** Return the buckets that no merge changes until the transaction ends. */
export async function tryKeepFromMerge(
  connection: SqlConnection,
  buckets: readonly DirtyScanBucket[],
): Promise<readonly DirtyScanBucket[]> {
  if (!buckets.some(isInMergedMonth)) return buckets;
  const rows = await querySql<{ isLocked: boolean }>(connection, { isPrepared: true })({
    text: `SELECT pg_try_advisory_xact_lock_shared(${LOCK_KEY_SQL}) AS "isLocked"`,
  });
  return rows[0]?.isLocked ? buckets : buckets.filter((bucket) => !isInMergedMonth(bucket));
}

/** Put the merged buckets of these months back into `scan_rollups`; return their days, which have to be counted. */
export async function splitMergedMonths(
  connection: SqlConnection,
  buckets: readonly DirtyScanBucket[],
): Promise<DirtyScanBucket[]> {
  await executeSql(connection, { isPrepared: true })({
    text: `UPDATE scan_rollup_merge_state SET merged_before = '-infinity', last_subject_id = ''
      WHERE merged_before > '-infinity' OR last_subject_id <> ''`,
  });
  return querySql<DirtyScanBucket>(connection, { isPrepared: true })({
    text: `WITH requested AS (
        SELECT DISTINCT subject_id, date_trunc('month', starts_at, 'UTC') AS month
        FROM unnest($1::text[], $2::timestamptz[]) AS bucket (subject_id, starts_at)
      ), removed AS (
        DELETE FROM scan_rollup_months AS merged USING requested
        WHERE merged.subject_id = requested.subject_id AND merged.starts_at = month
        RETURNING merged.subject_id, month
      ), bucket AS (
        INSERT INTO scan_rollups (subject_id, bucket_size, starts_at, total, humans, uniques, breakdown)
        SELECT subject_id, 'QUARTER_HOUR', kept.starts_at, total, humans, uniques, breakdown
        FROM removed CROSS JOIN LATERAL (
          SELECT starts_at, total, humans, uniques, breakdown FROM scan_rollup_month_buckets AS kept
          WHERE kept.subject_id = removed.subject_id AND month = removed.month OFFSET 0) AS kept
        RETURNING subject_id, starts_at
      )
      SELECT DISTINCT subject_id AS "subjectId", date_bin('1 day', starts_at, '2000-01-01Z') AS "startsAt" FROM bucket`,
    values: [buckets.map(({ subjectId }) => subjectId), buckets.map(({ startsAt }) => startsAt)],
  });
}

/**
 * Merge months before `limit` that have few buckets, in the order of ids after the last one. Meanwhile no roll-up of such
 * a month is replaced: see `tryKeepFromMerge`.
 */
export async function mergeRollupMonths(
  connection: SqlConnection,
  { limit, maxBuckets, batchSize }: { limit: Date; maxBuckets: number; batchSize: number },
): Promise<{ merged: number; isDone: boolean }> {
  await executeSql(connection, { isPrepared: true })({
    text: `SELECT pg_advisory_xact_lock(${LOCK_KEY_SQL})`,
  });
  const [state] = await querySql<{ lastSubjectId: string }>(connection, { isPrepared: true })({
    text: 'SELECT last_subject_id AS "lastSubjectId" FROM scan_rollup_merge_state WHERE merged_before < $1',
    values: [limit],
  });
  if (!state) return { merged: 0, isDone: true };
  const rows = await querySql<{ subjectId: string; month: Date }>(connection, { isPrepared: true })({
    text: `SELECT subject_id AS "subjectId", month FROM (
        SELECT subject_id, date_trunc('month', starts_at, 'UTC') AS month, count(*) AS buckets FROM scan_rollups
        WHERE subject_id >= $1 AND bucket_size = 'QUARTER_HOUR' AND starts_at < $2 GROUP BY 1, 2) AS kept
      WHERE buckets <= $3 AND NOT EXISTS (
        SELECT FROM scan_dirty_buckets AS dirty
        WHERE dirty.subject_id = kept.subject_id AND date_trunc('month', dirty.starts_at, 'UTC') = month)
      ORDER BY subject_id LIMIT $4`,
    values: [state.lastSubjectId, limit, maxBuckets, batchSize],
  });
  const isDone = rows.length < batchSize;
  if (rows.length > 0) await moveToMonths(connection, rows);
  await executeSql(connection, { isPrepared: true })({
    text: 'UPDATE scan_rollup_merge_state SET merged_before = coalesce($1, merged_before), last_subject_id = $2',
    values: isDone ? [limit, ''] : [null, rows.at(-1)?.subjectId],
  });
  return { merged: rows.length, isDone };
}

async function moveToMonths(
  connection: SqlConnection,
  months: readonly { subjectId: string; month: Date }[],
): Promise<void> {
  await executeSql(connection, { isPrepared: true })({
    text: `WITH removed AS (
        DELETE FROM scan_rollups WHERE ctid = ANY (ARRAY(
          SELECT kept.ctid FROM unnest($1::text[], $2::timestamptz[]) AS requested (subject_id, month)
          CROSS JOIN LATERAL (
            SELECT ctid FROM scan_rollups AS kept
            WHERE kept.subject_id = requested.subject_id AND bucket_size IN ('QUARTER_HOUR', 'DAY') AND starts_at >= month
              AND starts_at < (month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC' OFFSET 0) AS kept))
        RETURNING *, date_trunc('month', starts_at, 'UTC') AS month
      )
      INSERT INTO scan_rollup_months (subject_id, starts_at, buckets)
      SELECT subject_id, month, jsonb_agg(jsonb_build_array((extract(epoch FROM starts_at - month) / 900)::int, total, humans,
        uniques, breakdown::text) ORDER BY starts_at)
      FROM removed WHERE bucket_size = 'QUARTER_HOUR' GROUP BY subject_id, month`,
    values: [months.map(({ subjectId }) => subjectId), months.map(({ month }) => month)],
  });
}
