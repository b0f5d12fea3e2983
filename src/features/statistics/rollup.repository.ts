import type { Connection } from '../../platform/driver-transaction.ts';

/** What scans are counted over. */
export type Span = 'QUARTER' | 'DAY';

/** What scans are counted by, beside time. */
export const DIMENSIONS = ['class', 'country', 'city', 'device', 'os', 'browser'] as const;

export type Dimension = (typeof DIMENSIONS)[number];

/** Codes and owners counted in one transaction: whoever stores a scan of that span waits as long as it takes. */
const AT_ONCE = 1_000;

/** Values of a dimension in the breakdown of a scan, as columns of `scan`. A city says where it is. */
export const DIMENSION_VALUES = `(VALUES
  ('class', scan.class), ('country', scan.country),
  ('city', CASE WHEN scan.city IS NOT NULL THEN concat_ws(', ', scan.city, scan.country) END),
  ('device', scan.device), ('os', scan.os), ('browser', scan.browser)) AS of_scan (dimension, value)`;

const LENGTH: Record<Span, string> = { QUARTER: '15 minutes', DAY: '1 day' };
const SECONDS: Record<Span, number> = { QUARTER: 900, DAY: 86_400 };

// A quarter is counted once it is over; a day, once none of its quarters waits.
const DUE: Record<Span, string> = {
  QUARTER: 'true',
  DAY: `NOT EXISTS (SELECT FROM scan_stale_spans AS quarter
    WHERE quarter.subject_id = stale.subject_id AND quarter.span = 'QUARTER'
      AND quarter.starts_at >= stale.starts_at AND quarter.starts_at < stale.starts_at + interval '1 day')`,
};

const BY_VALUE = `
  GROUP BY subject_id, dimension, value
  ), breakdowns AS (
    SELECT subject_id, jsonb_object_agg(dimension, counts) AS breakdown FROM (
      SELECT subject_id, dimension, jsonb_object_agg(value, jsonb_build_array(total, humans, uniques)) AS counts
      FROM valued GROUP BY subject_id, dimension) AS by_dimension
    GROUP BY subject_id
  )
  INSERT INTO scan_rollups AS kept (subject_id, span, starts_at, total, humans, uniques, breakdown)
  SELECT subject_id, $1, $2::timestamptz, total, humans, uniques, coalesce(breakdown, '{}')
  FROM totals LEFT JOIN breakdowns USING (subject_id)
  ON CONFLICT (subject_id, span, starts_at) DO UPDATE SET
    total = excluded.total, humans = excluded.humans, uniques = excluded.uniques, breakdown = excluded.breakdown`;

// Ids begin with the second of the scan, so their range chooses the partition.
const FROM_SCANS = `
  WITH scan AS MATERIALIZED (
    SELECT scans.*, subject_id FROM unnest($3::text[]) AS subject_id
    CROSS JOIN LATERAL (
      SELECT * FROM scans WHERE qr_code_id = subject_id AND scanned_at >= $2::timestamptz
        AND scanned_at < $2::timestamptz + interval '15 minutes' AND id >= $4 AND id < $5
      UNION ALL
      SELECT * FROM scans WHERE owner_id = subject_id AND scanned_at >= $2::timestamptz
        AND scanned_at < $2::timestamptz + interval '15 minutes' AND id >= $4 AND id < $5
    ) AS scans
  ), totals AS (
    SELECT subject_id, count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans,
           count(*) FILTER (WHERE is_unique) AS uniques
    FROM scan GROUP BY subject_id
  ), valued AS (
    SELECT subject_id, dimension, value, count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans,
           count(*) FILTER (WHERE is_unique) AS uniques
    FROM scan CROSS JOIN LATERAL ${DIMENSION_VALUES} WHERE value IS NOT NULL ${BY_VALUE}`;

const FROM_QUARTERS = `
  WITH quarter AS MATERIALIZED (
    SELECT * FROM scan_rollups WHERE subject_id = ANY ($3::text[]) AND span = 'QUARTER'
      AND starts_at >= $2::timestamptz AND starts_at < $2::timestamptz + interval '1 day'
  ), totals AS (
    SELECT subject_id, sum(total) AS total, sum(humans) AS humans, sum(uniques) AS uniques
    FROM quarter GROUP BY subject_id
  ), valued AS (
    SELECT subject_id, dimension, value, sum((counts->>0)::int) AS total, sum((counts->>1)::int) AS humans,
           sum((counts->>2)::int) AS uniques
    FROM quarter CROSS JOIN LATERAL jsonb_each(breakdown) AS dimensions (dimension, of_dimension)
    CROSS JOIN LATERAL jsonb_each(of_dimension) AS of_value (value, counts) ${BY_VALUE}`;

/**
 * The oldest span of a kind that is over (at `by`, now where that is null) and waits to be counted again, after `after`;
 * null where there is none.
 */
export async function nextStaleSpan(
  connection: Connection,
  span: Span,
  after: Date | null,
  by: Date | null = null,
): Promise<Date | null> {
  const { rows } = await connection.query<{ starts_at: Date }>(
    `SELECT starts_at FROM scan_stale_spans
     WHERE span = $1 AND starts_at <= coalesce($4, now()) - $2::interval
       AND ($3::timestamptz IS NULL OR starts_at > $3)
     ORDER BY starts_at LIMIT 1`,
    [span, LENGTH[span], after, by],
  );
  return rows[0]?.starts_at ?? null;
}

/** Makes this transaction the only one that stores or counts scans of a span; false, without waiting, where it is not. */
export async function holdSpan(connection: Connection, span: Span, startsAt: Date): Promise<boolean> {
  const { rows } = await connection.query<{ mine: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtext('scans of a ' || $1), $2) AS mine`,
    [span, startsAt.getTime() / 1000 / SECONDS[span]],
  );
  return rows[0]?.mine ?? false;
}

/**
 * Counts a span again for some of the codes and owners that wait for it. Hold the span. Answers how many were counted.
 * @param ids the first id that scans of the span can have, and the first that they cannot
 */
export async function countSpan(
  connection: Connection,
  span: Span,
  startsAt: Date,
  ids: { first: string; beyond: string },
): Promise<number> {
  const { rows } = await connection.query<{ subject_id: string }>(
    `DELETE FROM scan_stale_spans WHERE (span, starts_at, subject_id) IN (
       SELECT span, starts_at, subject_id FROM scan_stale_spans AS stale
       WHERE span = $1 AND starts_at = $2 AND ${DUE[span]} ORDER BY subject_id LIMIT ${AT_ONCE})
     RETURNING subject_id`,
    [span, startsAt],
  );
  if (rows.length === 0) return 0;
  const subjects = rows.map(({ subject_id }) => subject_id);
  await connection.query(
    'DELETE FROM scan_rollups WHERE subject_id = ANY ($1::text[]) AND span = $2 AND starts_at = $3',
    [subjects, span, startsAt],
  );
  const name = `count-${span}`;
  const values = [span, startsAt, subjects];
  if (span === 'DAY') await connection.query({ name, text: FROM_QUARTERS, values });
  else await connection.query({ name, text: FROM_SCANS, values: [...values, ids.first, ids.beyond] });
  return subjects.length;
}

/** How far counting is behind: quarters of codes and owners that are over and wait, and where the oldest begins. */
export interface RollUpLag {
  spans: number;
  since: Date | null;
}

/** How far counting is behind now. */
export async function rollUpLag(connection: Connection): Promise<RollUpLag> {
  const { rows } = await connection.query<{ spans: string; since: Date | null }>(
    `SELECT count(*) AS spans, min(starts_at) AS since FROM scan_stale_spans
     WHERE span = 'QUARTER' AND starts_at <= now() - interval '15 minutes'`,
  );
  return { spans: Number(rows[0]?.spans ?? 0), since: rows[0]?.since ?? null };
}
