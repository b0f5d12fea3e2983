import { executeSql, querySql, type SqlConnection } from '../../../platform/sql.ts';
import { isInMergedMonth, splitMergedMonths } from './merged-rollups.repository.ts';
import { addToOwnerScanCounts, subtractFromOwnerScanCounts } from './owner-counts.repository.ts';
import {
  type DirtyScanBucket,
  DUE_SCAN_BUCKET_CONDITIONS,
  type ScanBucketSize,
} from './rollup.repository.ts';

const SCAN_DIMENSIONS = ['class', 'country', 'city', 'device', 'os', 'browser'] as const;

export type ScanDimension = (typeof SCAN_DIMENSIONS)[number];

/** Expects columns in `scan`. A city includes region and country. */
export const SCAN_DIMENSION_VALUES_SQL = `(VALUES
  ('class', scan.class), ('country', scan.country),
  ('city', CASE WHEN scan.city IS NOT NULL THEN concat_ws(', ', scan.city, scan.country) END),
  ('device', scan.device), ('os', scan.os), ('browser', scan.browser)) AS of_scan (dimension, value)`;

const REQUESTED_BUCKETS_SQL = 'unnest($2::text[], $3::timestamptz[]) AS requested (subject_id, starts_at)';

const GROUP_BY_VALUE_SQL = `
  GROUP BY subject_id, starts_at, dimension, value
  ), breakdowns AS (
    SELECT subject_id, starts_at, jsonb_object_agg(dimension, counts) AS breakdown FROM (
      SELECT subject_id, starts_at, dimension,
             jsonb_object_agg(value, jsonb_build_array(total, humans, uniques)) AS counts
      FROM valued GROUP BY subject_id, starts_at, dimension) AS by_dimension
    GROUP BY subject_id, starts_at
  )
  INSERT INTO scan_rollups AS kept (subject_id, bucket_size, starts_at, total, humans, uniques, breakdown)
  SELECT subject_id, $1, starts_at, total, humans, uniques, coalesce(breakdown, '{}')
  FROM totals LEFT JOIN breakdowns USING (subject_id, starts_at)
  ON CONFLICT (subject_id, bucket_size, starts_at) DO UPDATE SET
    total = excluded.total, humans = excluded.humans, uniques = excluded.uniques, breakdown = excluded.breakdown`;

// Ranges of ids select the partition; OFFSET 0 forces one lookup per bucket.
const createBucketScansQuery = (column: string) => `
      (SELECT scans.* FROM scans
       WHERE ${column} = requested.subject_id AND scanned_at >= requested.starts_at
         AND scanned_at < requested.starts_at + interval '15 minutes'
         AND id >= lpad(to_hex(extract(epoch FROM requested.starts_at)::bigint), 8, '0')
         AND id < lpad(to_hex(extract(epoch FROM requested.starts_at)::bigint + 900), 8, '0') OFFSET 0)`;

const COUNT_FROM_SCANS = `
  WITH scan AS MATERIALIZED (
    SELECT scans.*, subject_id, starts_at FROM ${REQUESTED_BUCKETS_SQL}
    CROSS JOIN LATERAL (${createBucketScansQuery('qr_code_id')} UNION ALL ${createBucketScansQuery('account_id')}) AS scans
  ), totals AS (
    SELECT subject_id, starts_at, count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans,
           count(*) FILTER (WHERE is_unique) AS uniques
    FROM scan GROUP BY subject_id, starts_at
  ), valued AS (
    SELECT subject_id, starts_at, dimension, value, count(*) AS total,
           count(*) FILTER (WHERE class = 'HUMAN') AS humans, count(*) FILTER (WHERE is_unique) AS uniques
    FROM scan CROSS JOIN LATERAL ${SCAN_DIMENSION_VALUES_SQL} WHERE value IS NOT NULL ${GROUP_BY_VALUE_SQL}`;

const COUNT_FROM_QUARTER_HOURS = `
  WITH part AS MATERIALIZED (
    SELECT requested.subject_id, requested.starts_at, total, humans, uniques, breakdown FROM ${REQUESTED_BUCKETS_SQL}
    CROSS JOIN LATERAL (
      SELECT total, humans, uniques, breakdown FROM scan_rollups AS kept
      WHERE kept.subject_id = requested.subject_id AND bucket_size = 'QUARTER_HOUR' AND kept.starts_at >= requested.starts_at
        AND kept.starts_at < requested.starts_at + interval '1 day' OFFSET 0) AS kept
  ), totals AS (
    SELECT subject_id, starts_at, sum(total) AS total, sum(humans) AS humans, sum(uniques) AS uniques
    FROM part GROUP BY subject_id, starts_at
  ), valued AS (
    SELECT subject_id, starts_at, dimension, value, sum((counts->>0)::int) AS total, sum((counts->>1)::int) AS humans,
           sum((counts->>2)::int) AS uniques
    FROM part CROSS JOIN LATERAL jsonb_each(breakdown) AS dimensions (dimension, of_dimension)
    CROSS JOIN LATERAL jsonb_each(of_dimension) AS of_value (value, counts) ${GROUP_BY_VALUE_SQL}`;

export async function rollUpScanBuckets(
  connection: SqlConnection,
  bucketSize: ScanBucketSize,
  buckets: readonly DirtyScanBucket[],
): Promise<number> {
  const rows = await querySql<DirtyScanBucket>(connection, { isPrepared: true })({
    text: `DELETE FROM scan_dirty_buckets AS dirty USING ${REQUESTED_BUCKETS_SQL}
      WHERE dirty.bucket_size = $1 AND dirty.starts_at = requested.starts_at AND dirty.subject_id = requested.subject_id
        AND ${DUE_SCAN_BUCKET_CONDITIONS[bucketSize]}
      RETURNING dirty.subject_id AS "subjectId", dirty.starts_at AS "startsAt"`,
    values: toParameters(bucketSize, buckets),
  });
  if (rows.length === 0) return 0;
  await splitMergedDays(connection, rows);
  const values = toParameters(bucketSize, rows);
  const ownerBuckets =
    bucketSize === 'QUARTER_HOUR' ? await subtractFromOwnerScanCounts(connection, rows) : [];
  await executeSql(connection, { isPrepared: true })({
    text: `DELETE FROM scan_rollups AS kept USING ${REQUESTED_BUCKETS_SQL}
      WHERE kept.subject_id = requested.subject_id AND kept.bucket_size = $1 AND kept.starts_at = requested.starts_at`,
    values,
  });
  await executeSql(connection, { isPrepared: true })({
    text: bucketSize === 'DAY' ? COUNT_FROM_QUARTER_HOURS : COUNT_FROM_SCANS,
    values,
  });
  if (ownerBuckets.length > 0) await addToOwnerScanCounts(connection, ownerBuckets);
  return rows.length;
}

/** Counts read and replace single buckets, so those of merged months are put back first. */
async function splitMergedDays(
  connection: SqlConnection,
  buckets: readonly DirtyScanBucket[],
): Promise<void> {
  const merged = buckets.filter(isInMergedMonth);
  if (merged.length === 0) return;
  const days = await splitMergedMonths(connection, merged);
  if (days.length > 0)
    await executeSql(connection, { isPrepared: true })({
      text: COUNT_FROM_QUARTER_HOURS,
      values: toParameters('DAY', days),
    });
}

function toParameters(bucketSize: ScanBucketSize, buckets: readonly DirtyScanBucket[]): unknown[] {
  return [bucketSize, buckets.map(({ subjectId }) => subjectId), buckets.map(({ startsAt }) => startsAt)];
}
