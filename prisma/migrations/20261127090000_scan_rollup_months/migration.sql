-- Roll-ups of rarely scanned codes and owners: one compressed row a month instead of two for nearly each scan.

-- Compressed, but not moved out of line. Breakdowns are text, which needs half the space and is read less often.
CREATE TABLE scan_rollup_months (
  subject_id text COLLATE "C" NOT NULL,
  starts_at  timestamptz(0) NOT NULL,
  buckets    jsonb NOT NULL,
  CONSTRAINT scan_rollup_months_pkey PRIMARY KEY (subject_id, starts_at)
);
ALTER TABLE scan_rollup_months ALTER COLUMN buckets SET STORAGE MAIN;
COMMENT ON TABLE scan_rollup_months IS 'Roll-ups of a code or owner of a month that is over and had few of them, merged without loss. There are none of that month in scan_rollups then; a dirty bucket splits the row again.';
COMMENT ON COLUMN scan_rollup_months.subject_id IS 'The code, or the owner of codes.';
COMMENT ON COLUMN scan_rollup_months.starts_at IS 'Start of the UTC month.';
COMMENT ON COLUMN scan_rollup_months.buckets IS 'The 15-minute buckets, as arrays: number in the month from 0, total, humans, uniques, breakdown as text.';
COMMENT ON CONSTRAINT scan_rollup_months_pkey ON scan_rollup_months IS 'One row per code or owner and month. Serves: the counts of a code or owner over any period.';

CREATE TABLE scan_rollup_merge_state (
  singleton       boolean NOT NULL DEFAULT true,
  merged_before   timestamptz(0) NOT NULL DEFAULT '-infinity',
  last_subject_id text COLLATE "C" NOT NULL DEFAULT '',
  CONSTRAINT scan_rollup_merge_state_pkey PRIMARY KEY (singleton),
  CONSTRAINT scan_rollup_merge_state_single_row CHECK (singleton)
);
COMMENT ON TABLE scan_rollup_merge_state IS 'How far roll-ups are merged into scan_rollup_months; one row. Roll-ups of merged months begin it anew.';
COMMENT ON COLUMN scan_rollup_merge_state.singleton IS 'Always true: the table has one row.';
COMMENT ON COLUMN scan_rollup_merge_state.merged_before IS 'Months before it are merged.';
COMMENT ON COLUMN scan_rollup_merge_state.last_subject_id IS 'Up to which id later months are merged; empty if none is.';
COMMENT ON CONSTRAINT scan_rollup_merge_state_pkey ON scan_rollup_merge_state IS 'The table has one row.';
COMMENT ON CONSTRAINT scan_rollup_merge_state_single_row ON scan_rollup_merge_state IS 'The table has one row.';
INSERT INTO scan_rollup_merge_state DEFAULT VALUES;

CREATE VIEW scan_rollup_month_buckets AS
SELECT merged.subject_id, merged.starts_at AS month,
       (merged.starts_at + (bucket->>0)::integer * interval '15 minutes')::timestamptz(0) AS starts_at,
       (bucket->>1)::integer AS total, (bucket->>2)::integer AS humans, (bucket->>3)::integer AS uniques,
       (bucket->>4)::jsonb AS breakdown
FROM scan_rollup_months AS merged CROSS JOIN LATERAL jsonb_array_elements(merged.buckets) AS bucket;
COMMENT ON VIEW scan_rollup_month_buckets IS 'The buckets of scan_rollup_months, one row each. Select by month, too: the time of a bucket is computed.';
COMMENT ON COLUMN scan_rollup_month_buckets.subject_id IS 'The code, or the owner of codes.';
COMMENT ON COLUMN scan_rollup_month_buckets.month IS 'Start of the UTC month.';
COMMENT ON COLUMN scan_rollup_month_buckets.starts_at IS 'Start of the 15-minute bucket.';
COMMENT ON COLUMN scan_rollup_month_buckets.total IS 'Scans of all classes.';
COMMENT ON COLUMN scan_rollup_month_buckets.humans IS 'Scans by people.';
COMMENT ON COLUMN scan_rollup_month_buckets.uniques IS 'Scans by people that were the first of their visitor on the code and UTC day.';
COMMENT ON COLUMN scan_rollup_month_buckets.breakdown IS 'As in scan_rollups.';

-- The views of counts read merged roll-ups, too. Names, columns and types stay.

CREATE OR REPLACE VIEW reporting.daily_code_counts WITH (security_barrier) AS
SELECT code_id, owner_id, kind, (starts_at AT TIME ZONE 'UTC')::date AS day, total, humans, uniques
FROM (
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, kept.starts_at, kept.total::bigint AS total, kept.humans::bigint AS humans, kept.uniques::bigint AS uniques
  FROM scan_rollups AS kept JOIN qr_codes AS subject ON subject.id = kept.subject_id
  WHERE kept.bucket_size = 'DAY' AND NOT EXISTS (
    SELECT FROM scan_dirty_buckets AS dirty
    WHERE dirty.subject_id = kept.subject_id AND dirty.bucket_size = 'DAY' AND dirty.starts_at = kept.starts_at)
  UNION ALL
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, date_bin('1 day', kept.starts_at, '2000-01-01Z')::timestamptz(0) AS starts_at,
    sum(kept.total)::bigint AS total, sum(kept.humans)::bigint AS humans, sum(kept.uniques)::bigint AS uniques
  FROM scan_rollup_month_buckets AS kept JOIN qr_codes AS subject ON subject.id = kept.subject_id
  WHERE NOT EXISTS (
    SELECT FROM scan_dirty_buckets AS dirty
    WHERE dirty.subject_id = kept.subject_id AND dirty.bucket_size = 'DAY' AND dirty.starts_at = date_bin('1 day', kept.starts_at, '2000-01-01Z'))
  GROUP BY 1, 2, 3, 4
  UNION ALL
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, dirty.starts_at, fresh.total, fresh.humans, fresh.uniques
  FROM scan_dirty_buckets AS dirty JOIN qr_codes AS subject ON subject.id = dirty.subject_id
  CROSS JOIN LATERAL (
    SELECT count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans, count(*) FILTER (WHERE is_unique) AS uniques
    FROM scans WHERE scans.qr_code_id = dirty.subject_id
      AND scans.scanned_at >= dirty.starts_at AND scans.scanned_at < dirty.starts_at + interval '24 hours') AS fresh
  WHERE dirty.bucket_size = 'DAY' AND fresh.total > 0) AS counted;

CREATE OR REPLACE VIEW reporting.daily_owner_counts WITH (security_barrier) AS
SELECT owner_id, (starts_at AT TIME ZONE 'UTC')::date AS day, total, humans, uniques
FROM (
  SELECT subject.id AS owner_id, kept.starts_at, kept.total::bigint AS total, kept.humans::bigint AS humans, kept.uniques::bigint AS uniques
  FROM scan_rollups AS kept JOIN users AS subject ON subject.id = kept.subject_id
  WHERE kept.bucket_size = 'DAY' AND NOT EXISTS (
    SELECT FROM scan_dirty_buckets AS dirty
    WHERE dirty.subject_id = kept.subject_id AND dirty.bucket_size = 'DAY' AND dirty.starts_at = kept.starts_at)
  UNION ALL
  SELECT subject.id AS owner_id, date_bin('1 day', kept.starts_at, '2000-01-01Z')::timestamptz(0) AS starts_at,
    sum(kept.total)::bigint AS total, sum(kept.humans)::bigint AS humans, sum(kept.uniques)::bigint AS uniques
  FROM scan_rollup_month_buckets AS kept JOIN users AS subject ON subject.id = kept.subject_id
  WHERE NOT EXISTS (
    SELECT FROM scan_dirty_buckets AS dirty
    WHERE dirty.subject_id = kept.subject_id AND dirty.bucket_size = 'DAY' AND dirty.starts_at = date_bin('1 day', kept.starts_at, '2000-01-01Z'))
  GROUP BY 1, 2
  UNION ALL
  SELECT subject.id AS owner_id, dirty.starts_at, fresh.total, fresh.humans, fresh.uniques
  FROM scan_dirty_buckets AS dirty JOIN users AS subject ON subject.id = dirty.subject_id
  CROSS JOIN LATERAL (
    SELECT count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans, count(*) FILTER (WHERE is_unique) AS uniques
    FROM scans WHERE scans.owner_id = dirty.subject_id
      AND scans.scanned_at >= dirty.starts_at AND scans.scanned_at < dirty.starts_at + interval '24 hours') AS fresh
  WHERE dirty.bucket_size = 'DAY' AND fresh.total > 0) AS counted;

CREATE OR REPLACE VIEW reporting.quarter_hour_code_counts WITH (security_barrier) AS
SELECT code_id, owner_id, kind, starts_at, total, humans, uniques
FROM (
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, kept.starts_at, kept.total::bigint AS total, kept.humans::bigint AS humans, kept.uniques::bigint AS uniques
  FROM scan_rollups AS kept JOIN qr_codes AS subject ON subject.id = kept.subject_id
  WHERE kept.bucket_size = 'QUARTER_HOUR' AND NOT EXISTS (
    SELECT FROM scan_dirty_buckets AS dirty
    WHERE dirty.subject_id = kept.subject_id AND dirty.bucket_size = 'QUARTER_HOUR' AND dirty.starts_at = kept.starts_at)
  UNION ALL
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, kept.starts_at,
    kept.total::bigint AS total, kept.humans::bigint AS humans, kept.uniques::bigint AS uniques
  FROM scan_rollup_month_buckets AS kept JOIN qr_codes AS subject ON subject.id = kept.subject_id
  WHERE NOT EXISTS (
    SELECT FROM scan_dirty_buckets AS dirty
    WHERE dirty.subject_id = kept.subject_id AND dirty.bucket_size = 'QUARTER_HOUR' AND dirty.starts_at = kept.starts_at)
  UNION ALL
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, dirty.starts_at, fresh.total, fresh.humans, fresh.uniques
  FROM scan_dirty_buckets AS dirty JOIN qr_codes AS subject ON subject.id = dirty.subject_id
  CROSS JOIN LATERAL (
    SELECT count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans, count(*) FILTER (WHERE is_unique) AS uniques
    FROM scans WHERE scans.qr_code_id = dirty.subject_id
      AND scans.scanned_at >= dirty.starts_at AND scans.scanned_at < dirty.starts_at + interval '15 minutes') AS fresh
  WHERE dirty.bucket_size = 'QUARTER_HOUR' AND fresh.total > 0) AS counted;

CREATE OR REPLACE VIEW reporting.daily_code_breakdown WITH (security_barrier) AS
SELECT code_id, owner_id, kind, (starts_at AT TIME ZONE 'UTC')::date AS day, dimension, value, total, humans, uniques
FROM (
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, kept.starts_at, by_dimension.key AS dimension, by_value.key AS value,
    (by_value.value->>0)::bigint AS total, (by_value.value->>1)::bigint AS humans, (by_value.value->>2)::bigint AS uniques
  FROM scan_rollups AS kept JOIN qr_codes AS subject ON subject.id = kept.subject_id
  CROSS JOIN LATERAL jsonb_each(kept.breakdown) AS by_dimension CROSS JOIN LATERAL jsonb_each(by_dimension.value) AS by_value
  WHERE kept.bucket_size = 'DAY' AND NOT EXISTS (
    SELECT FROM scan_dirty_buckets AS dirty
    WHERE dirty.subject_id = kept.subject_id AND dirty.bucket_size = 'DAY' AND dirty.starts_at = kept.starts_at)
  UNION ALL
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, date_bin('1 day', kept.starts_at, '2000-01-01Z')::timestamptz(0) AS starts_at, by_dimension.key AS dimension, by_value.key AS value,
    sum((by_value.value->>0)::bigint)::bigint AS total, sum((by_value.value->>1)::bigint)::bigint AS humans, sum((by_value.value->>2)::bigint)::bigint AS uniques
  FROM scan_rollup_month_buckets AS kept JOIN qr_codes AS subject ON subject.id = kept.subject_id
  CROSS JOIN LATERAL jsonb_each(kept.breakdown) AS by_dimension CROSS JOIN LATERAL jsonb_each(by_dimension.value) AS by_value
  WHERE NOT EXISTS (
    SELECT FROM scan_dirty_buckets AS dirty
    WHERE dirty.subject_id = kept.subject_id AND dirty.bucket_size = 'DAY' AND dirty.starts_at = date_bin('1 day', kept.starts_at, '2000-01-01Z'))
  GROUP BY 1, 2, 3, 4, 5, 6
  UNION ALL
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, dirty.starts_at, fresh.dimension, fresh.value, fresh.total, fresh.humans, fresh.uniques
  FROM scan_dirty_buckets AS dirty JOIN qr_codes AS subject ON subject.id = dirty.subject_id
  CROSS JOIN LATERAL (
    SELECT dimension, value, count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans,
           count(*) FILTER (WHERE is_unique) AS uniques
    FROM scans CROSS JOIN LATERAL (VALUES
    ('class', scans.class), ('country', scans.country),
    ('city', CASE WHEN scans.city IS NOT NULL THEN concat_ws(', ', scans.city, scans.country) END),
    ('device', scans.device), ('os', scans.os), ('browser', scans.browser)) AS of_scan (dimension, value)
    WHERE scans.qr_code_id = dirty.subject_id AND value IS NOT NULL
      AND scans.scanned_at >= dirty.starts_at AND scans.scanned_at < dirty.starts_at + interval '24 hours'
    GROUP BY dimension, value) AS fresh
  WHERE dirty.bucket_size = 'DAY') AS counted;

CREATE OR REPLACE VIEW reporting.daily_breakdown WITH (security_barrier) AS
SELECT (starts_at AT TIME ZONE 'UTC')::date AS day, dimension, value, sum(total)::bigint AS total, sum(humans)::bigint AS humans, sum(uniques)::bigint AS uniques
FROM (
  SELECT kept.starts_at, by_dimension.key AS dimension, by_value.key AS value,
    (by_value.value->>0)::bigint AS total, (by_value.value->>1)::bigint AS humans, (by_value.value->>2)::bigint AS uniques
  FROM scan_rollups AS kept JOIN users AS subject ON subject.id = kept.subject_id
  CROSS JOIN LATERAL jsonb_each(kept.breakdown) AS by_dimension CROSS JOIN LATERAL jsonb_each(by_dimension.value) AS by_value
  WHERE kept.bucket_size = 'DAY' AND NOT EXISTS (
    SELECT FROM scan_dirty_buckets AS dirty
    WHERE dirty.subject_id = kept.subject_id AND dirty.bucket_size = 'DAY' AND dirty.starts_at = kept.starts_at)
  UNION ALL
  SELECT date_bin('1 day', kept.starts_at, '2000-01-01Z')::timestamptz(0) AS starts_at, by_dimension.key AS dimension, by_value.key AS value,
    sum((by_value.value->>0)::bigint)::bigint AS total, sum((by_value.value->>1)::bigint)::bigint AS humans, sum((by_value.value->>2)::bigint)::bigint AS uniques
  FROM scan_rollup_month_buckets AS kept JOIN users AS subject ON subject.id = kept.subject_id
  CROSS JOIN LATERAL jsonb_each(kept.breakdown) AS by_dimension CROSS JOIN LATERAL jsonb_each(by_dimension.value) AS by_value
  WHERE NOT EXISTS (
    SELECT FROM scan_dirty_buckets AS dirty
    WHERE dirty.subject_id = kept.subject_id AND dirty.bucket_size = 'DAY' AND dirty.starts_at = date_bin('1 day', kept.starts_at, '2000-01-01Z'))
  GROUP BY 1, 2, 3
  UNION ALL
  SELECT dirty.starts_at, fresh.dimension, fresh.value, fresh.total, fresh.humans, fresh.uniques
  FROM scan_dirty_buckets AS dirty JOIN users AS subject ON subject.id = dirty.subject_id
  CROSS JOIN LATERAL (
    SELECT dimension, value, count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans,
           count(*) FILTER (WHERE is_unique) AS uniques
    FROM scans CROSS JOIN LATERAL (VALUES
    ('class', scans.class), ('country', scans.country),
    ('city', CASE WHEN scans.city IS NOT NULL THEN concat_ws(', ', scans.city, scans.country) END),
    ('device', scans.device), ('os', scans.os), ('browser', scans.browser)) AS of_scan (dimension, value)
    WHERE scans.owner_id = dirty.subject_id AND value IS NOT NULL
      AND scans.scanned_at >= dirty.starts_at AND scans.scanned_at < dirty.starts_at + interval '24 hours'
    GROUP BY dimension, value) AS fresh
  WHERE dirty.bucket_size = 'DAY') AS counted
GROUP BY 1, 2, 3;
