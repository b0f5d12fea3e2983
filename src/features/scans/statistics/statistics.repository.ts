import { querySql, type SqlConnection } from '../../../platform/sql.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { SCAN_DIMENSION_VALUES_SQL } from './count-buckets.repository.ts';
import { createMergedRangeSql } from './merged-rollups.repository.ts';
import {
  findWholeUtcDays,
  type ScanStatisticsInterval,
  type ScanStatisticsPeriod,
} from './statistics-period.rules.ts';

/** `unique` counts the first scans of human visitors per code and UTC day. */
export interface ScanCounts {
  total: number;
  humans: number;
  unique: number;
}

export interface IntervalScanCounts extends ScanCounts {
  startsAt: Date;
}

export interface DimensionValueScanCounts extends ScanCounts {
  dimension: string;
  value: string;
}

export interface WeekdayHourScanCounts extends ScanCounts {
  weekday: number;
  hour: number;
}

const SUBJECT_COLUMN = { QRCODE: 'qr_code_id', OWNER: 'account_id' } as const;

/** Dirty buckets are counted from the scans, so that sums are exact. */
const DIRTY_BUCKETS_QUERY = `
  SELECT starts_at FROM scan_dirty_buckets
  WHERE subject_id = $1 AND bucket_size = 'QUARTER_HOUR' AND starts_at >= $2::timestamptz AND starts_at < $3::timestamptz`;

// OFFSET 0 forces one lookup per bucket by its range of ids, so that a single partition is scanned.
function createDirtyScansQuery(column: string, columns: string): string {
  return `
    SELECT dirty.starts_at, ${columns} FROM dirty CROSS JOIN LATERAL (
      SELECT * FROM scans WHERE ${column} = $1 AND scanned_at >= dirty.starts_at
        AND scanned_at < dirty.starts_at + interval '15 minutes' AND id >= $4 AND id < $5
        AND id >= lpad(to_hex(extract(epoch FROM dirty.starts_at)::bigint), 8, '0')
        AND id < lpad(to_hex(extract(epoch FROM dirty.starts_at)::bigint + 900), 8, '0') OFFSET 0) AS scan`;
}

/** Whole rolled-up UTC days, 15-minute buckets of other days and of merged months; `dayCondition` selects the usable days. */
function createRollupQuery(columns: string, dayCondition = 'true'): string {
  return `
  WITH dirty AS MATERIALIZED (${DIRTY_BUCKETS_QUERY}
  ), days AS MATERIALIZED (
    SELECT starts_at, ${columns} FROM scan_rollups AS kept
    WHERE subject_id = $1 AND bucket_size = 'DAY' AND starts_at >= $2::timestamptz
      AND starts_at <= $3::timestamptz - interval '24 hours' AND ${dayCondition}
      AND starts_at NOT IN (
        SELECT starts_at FROM scan_dirty_buckets WHERE subject_id = $1 AND bucket_size = 'DAY'
          AND starts_at >= $2::timestamptz AND starts_at < $3::timestamptz)
  ), other_days AS (
    SELECT day FROM generate_series(date_bin('24 hours', $2::timestamptz, '2000-01-01Z'),
      $3::timestamptz - interval '1 second', '24 hours') AS day
    WHERE day NOT IN (SELECT starts_at FROM days)
  ), kept AS (
    SELECT * FROM days
    UNION ALL
    SELECT part.* FROM other_days CROSS JOIN LATERAL (
      SELECT starts_at, ${columns} FROM scan_rollups
      WHERE subject_id = $1 AND bucket_size = 'QUARTER_HOUR' AND starts_at >= greatest(day, $2::timestamptz)
        AND starts_at < least(day + interval '24 hours', $3::timestamptz) OFFSET 0) AS part
    WHERE part.starts_at NOT IN (SELECT starts_at FROM dirty)
    UNION ALL
    SELECT starts_at, ${columns} FROM scan_rollup_month_buckets
    WHERE subject_id = $1 AND ${createMergedRangeSql('$2::timestamptz', '$3::timestamptz')}
      AND starts_at NOT IN (SELECT starts_at FROM dirty)
  )`;
}

function createCountsQuery(column: string, dayCondition?: string): string {
  return `${createRollupQuery('total, humans, uniques', dayCondition)}, buckets AS (
    SELECT starts_at, total, humans, uniques FROM kept
    UNION ALL
    ${createDirtyScansQuery(column, `1, (class = 'HUMAN')::int, is_unique::int`)}
  )`;
}

const WITHIN_INTERVAL_SQL = `date_trunc($6, starts_at AT TIME ZONE $7) = date_trunc($6, (starts_at + interval '86399 seconds') AT TIME ZONE $7)`;

/** The first of two instants with this local time: where clocks go back to midnight, a day begins with the first. */
const createFirstInstantSql = (wall: string) => `
  CASE WHEN (${wall} AT TIME ZONE $7 - interval '1 hour') AT TIME ZONE $7 = ${wall}
       THEN ${wall} AT TIME ZONE $7 - interval '1 hour' ELSE ${wall} AT TIME ZONE $7 END`;

const SUM_COLUMNS_SQL = `sum(total)::int AS total, sum(humans)::int AS humans, sum(uniques)::int AS "unique"`;

/** The first interval may begin before the period. */
export async function countScansByInterval(
  connection: SqlConnection,
  period: ScanStatisticsPeriod,
  interval: ScanStatisticsInterval,
  timeZone: string,
): Promise<IntervalScanCounts[]> {
  return querySql<IntervalScanCounts>(connection, { isPrepared: true })({
    text: `${createCountsQuery(SUBJECT_COLUMN[period.subject.type], WITHIN_INTERVAL_SQL)}, counted AS (
        SELECT CASE WHEN $6 = 'hour' THEN date_trunc('hour', starts_at, $7) ELSE ${createFirstInstantSql('wall')} END AS starts_at,
               ${SUM_COLUMNS_SQL}
        FROM (SELECT *, date_trunc($6, starts_at AT TIME ZONE $7) AS wall FROM buckets) AS local_buckets GROUP BY 1
      )
      SELECT starts_at AS "startsAt", coalesce(total, 0) AS total, coalesce(humans, 0) AS humans,
             coalesce("unique", 0) AS "unique"
      FROM (
        -- Days and longer follow local time, whose midnights are 23 to 25 hours apart. Hours begin where those of
        -- each quarter do: on Lord Howe Island clocks change by half an hour, and with them the minute that hours begin at.
        SELECT DISTINCT date_trunc('hour', bucket_start, $7) AS starts_at
        FROM generate_series($2::timestamptz, $3::timestamptz - interval '1 second', '15 minutes') AS bucket_start
        WHERE $6 = 'hour'
        UNION ALL
        SELECT ${createFirstInstantSql('wall')} FROM generate_series(date_trunc($6, $2::timestamptz AT TIME ZONE $7),
          ($3::timestamptz - interval '1 second') AT TIME ZONE $7, $8::interval) AS wall
        WHERE $6 <> 'hour'
      ) AS stretch
      LEFT JOIN counted USING (starts_at) ORDER BY starts_at`,
    values: [...toParameters(period), interval, timeZone, `1 ${interval}`],
  });
}

export async function countScansInPeriod(
  connection: SqlConnection,
  period: ScanStatisticsPeriod,
): Promise<ScanCounts> {
  const rows = await querySql<ScanCounts>(connection, { isPrepared: true })({
    text: `${createCountsQuery(SUBJECT_COLUMN[period.subject.type])}
      SELECT coalesce(sum(total), 0)::int AS total, coalesce(sum(humans), 0)::int AS humans,
             coalesce(sum(uniques), 0)::int AS "unique" FROM buckets`,
    values: toParameters(period),
  });
  return rows[0] ?? { total: 0, humans: 0, unique: 0 };
}

function createBreakdownQuery(column: string): string {
  return `${createRollupQuery('breakdown')}, valued AS (
    SELECT dimension, value, (counts->>0)::int AS total, (counts->>1)::int AS humans, (counts->>2)::int AS uniques
    FROM kept CROSS JOIN LATERAL jsonb_each(breakdown) AS dimensions (dimension, of_dimension)
    CROSS JOIN LATERAL jsonb_each(of_dimension) AS of_value (value, counts)
    UNION ALL
    SELECT dimension, value, 1, (scan.class = 'HUMAN')::int, scan.is_unique::int
    FROM (${createDirtyScansQuery(column, 'scan.*')}) AS scan CROSS JOIN LATERAL ${SCAN_DIMENSION_VALUES_SQL} WHERE value IS NOT NULL
  )`;
}

export async function countScansByDimensionValue(
  connection: SqlConnection,
  period: ScanStatisticsPeriod,
  limit: number,
): Promise<DimensionValueScanCounts[]> {
  return querySql<DimensionValueScanCounts>(connection, { isPrepared: true })({
    text: `${createBreakdownQuery(SUBJECT_COLUMN[period.subject.type])}, summed AS (
        SELECT dimension, value, ${SUM_COLUMNS_SQL} FROM valued GROUP BY dimension, value
      ), ranked AS (
        SELECT *, row_number() OVER (PARTITION BY dimension ORDER BY total DESC, value) AS place FROM summed
      )
      SELECT dimension, value, total, humans, "unique" FROM ranked WHERE place <= $6 ORDER BY dimension, place`,
    values: [...toParameters(period), limit],
  });
}

/** By ISO weekday (Monday is 1) and hour, without those that have no scans. Reads each 15-minute bucket of the period. */
export async function countScansByWeekdayAndHour(
  connection: SqlConnection,
  period: ScanStatisticsPeriod,
  timeZone: string,
): Promise<WeekdayHourScanCounts[]> {
  return querySql<WeekdayHourScanCounts>(connection, { isPrepared: true })({
    text: `${createCountsQuery(SUBJECT_COLUMN[period.subject.type], 'false')}
      SELECT extract(isodow FROM starts_at AT TIME ZONE $6)::int AS weekday,
             extract(hour FROM starts_at AT TIME ZONE $6)::int AS hour, ${SUM_COLUMNS_SQL}
      FROM buckets GROUP BY 1, 2 ORDER BY 1, 2`,
    values: [...toParameters(period), timeZone],
  });
}

// Whole UTC days from roll-ups of days; the ends of the period, dirty days and merged months from those of 15 minutes.
// OFFSET 0 forces lookups by primary key for each code.
const TOP_CODES_SQL = `
  WITH code AS MATERIALIZED (
    SELECT id, title FROM qr_codes JOIN scan_counts ON qr_code_id = id
    WHERE account_id = $1 AND status <> 'DELETED' AND last_scanned_at >= $2::timestamptz
    ORDER BY scan_counts.total DESC, id LIMIT $9
  ), dirty_days AS MATERIALIZED (
    SELECT id, starts_at FROM code CROSS JOIN LATERAL (
      SELECT starts_at FROM scan_dirty_buckets WHERE subject_id = code.id AND bucket_size = 'DAY'
        AND starts_at >= $6::timestamptz AND starts_at < $7::timestamptz OFFSET 0) AS day
  ), dirty AS MATERIALIZED (
    SELECT id, starts_at FROM code CROSS JOIN LATERAL (
      SELECT starts_at FROM scan_dirty_buckets WHERE subject_id = code.id AND bucket_size = 'QUARTER_HOUR'
        AND starts_at >= $2::timestamptz AND starts_at < $3::timestamptz OFFSET 0) AS bucket
  ), ranges AS (
    SELECT id, starts_at AS since, starts_at + interval '24 hours' AS until FROM dirty_days
    UNION ALL
    SELECT id, since, until FROM code
    CROSS JOIN (VALUES ($2::timestamptz, $6::timestamptz), ($7::timestamptz, $3::timestamptz)) AS ends (since, until)
    WHERE since < until
  ), buckets AS (
    SELECT id, total, humans, uniques FROM code CROSS JOIN LATERAL (
      SELECT starts_at, total, humans, uniques FROM scan_rollups
      WHERE subject_id = code.id AND bucket_size = 'DAY' AND starts_at >= $6::timestamptz
        AND starts_at < $7::timestamptz OFFSET 0) AS kept
    WHERE (id, starts_at) NOT IN (SELECT id, starts_at FROM dirty_days)
    UNION ALL
    SELECT id, total, humans, uniques FROM ranges CROSS JOIN LATERAL (
      SELECT starts_at, total, humans, uniques FROM scan_rollups
      WHERE subject_id = ranges.id AND bucket_size = 'QUARTER_HOUR' AND starts_at >= since
        AND starts_at < until OFFSET 0) AS kept
    WHERE (id, starts_at) NOT IN (SELECT id, starts_at FROM dirty)
    UNION ALL
    SELECT id, total, humans, uniques FROM code CROSS JOIN LATERAL (
      SELECT starts_at, total, humans, uniques FROM scan_rollup_month_buckets
      WHERE subject_id = code.id AND ${createMergedRangeSql('$2::timestamptz', '$3::timestamptz')} OFFSET 0) AS kept
    WHERE (id, starts_at) NOT IN (SELECT id, starts_at FROM dirty)
    UNION ALL
    SELECT dirty.id, 1, (class = 'HUMAN')::int, is_unique::int FROM dirty CROSS JOIN LATERAL (
      SELECT class, is_unique FROM scans WHERE qr_code_id = dirty.id AND scanned_at >= dirty.starts_at
        AND scanned_at < dirty.starts_at + interval '15 minutes' AND id >= $4 AND id < $5
        AND id >= lpad(to_hex(extract(epoch FROM dirty.starts_at)::bigint), 8, '0')
        AND id < lpad(to_hex(extract(epoch FROM dirty.starts_at)::bigint + 900), 8, '0') OFFSET 0) AS scan
  )
  SELECT title, summed.total, summed.humans, summed."unique"
  FROM (SELECT id, ${SUM_COLUMNS_SQL} FROM buckets GROUP BY id) AS summed JOIN code USING (id)
  ORDER BY summed.total DESC, id LIMIT $8`;

/** Days of codes that are read at most. */
const MAX_CODE_DAYS = 15_000;
const MIN_CODES = 50;

/** Of accounts with very many codes, only those that were scanned most often ever are compared. */
export async function listTopCodes(
  connection: SqlConnection,
  period: ScanStatisticsPeriod,
  limit: number,
): Promise<(ScanCounts & { title: string })[]> {
  const { firstDay, beyondLastDay } = findWholeUtcDays(period);
  const days = Math.ceil((period.to.getTime() - period.from.getTime()) / DAY_MS);
  return querySql<ScanCounts & { title: string }>(connection, { isPrepared: true })({
    text: TOP_CODES_SQL,
    values: [
      ...toParameters(period),
      firstDay,
      beyondLastDay,
      limit,
      Math.max(MIN_CODES, Math.floor(MAX_CODE_DAYS / days)),
    ],
  });
}

export async function findFirstAndLastScanTime(
  connection: SqlConnection,
  period: ScanStatisticsPeriod,
): Promise<{ first: Date | null; last: Date | null }> {
  const { type } = period.subject;
  const where = `${SUBJECT_COLUMN[type]} = $1 AND scanned_at >= $2::timestamptz AND scanned_at < $3::timestamptz
    AND id >= $4 AND id < $5`;
  const rows = await querySql<{ first: Date | null; last: Date | null }>(connection, { isPrepared: true })({
    text: `SELECT (SELECT scanned_at FROM scans WHERE ${where} ORDER BY scanned_at, id LIMIT 1) AS first,
                  (SELECT scanned_at FROM scans WHERE ${where} ORDER BY scanned_at DESC, id DESC LIMIT 1) AS last`,
    values: toParameters(period),
  });
  return rows[0] ?? { first: null, last: null };
}

function toParameters({ subject, from, to, firstId, beyondId }: ScanStatisticsPeriod): unknown[] {
  return [subject.id, from, to, firstId, beyondId];
}
