-- Scans in one partition a month, found by the time that their ids begin with; what a scan is counted by beside it;
-- and roll-ups of scans, which statistics are added up from.

-- ---------------------------------------------------------------------------------------------
-- Partitions
-- ---------------------------------------------------------------------------------------------

CREATE SCHEMA partitions;
COMMENT ON SCHEMA partitions IS 'The parts of partitioned tables. They are read and written through the table that they are parts of.';

ALTER TABLE scans RENAME TO scans_whole;
ALTER TABLE scans_whole RENAME CONSTRAINT scans_pkey TO scans_whole_pkey;
DROP INDEX scans_qr_code_id_idx, scans_owner_id_idx, scans_scanner_id_idx;

CREATE TABLE scans (
  id              text COLLATE "C" NOT NULL,
  qr_code_id      text COLLATE "C" NOT NULL,
  owner_id        text COLLATE "C" NOT NULL,
  scanner_id      text COLLATE "C",
  type            text NOT NULL,
  class           text NOT NULL,
  class_rule      text NOT NULL,
  is_unique       boolean NOT NULL DEFAULT false,
  visitor_hash    bytea NOT NULL,
  position        bytea,
  city            text,
  region          text,
  country         text,
  device          text NOT NULL DEFAULT 'unknown',
  os              text NOT NULL DEFAULT 'unknown',
  browser         text NOT NULL DEFAULT 'unknown',
  ip_truncated    text NOT NULL,
  user_agent      text NOT NULL,
  unlocked_at     timestamptz(3),
  unlocked_version integer,
  scanned_at      timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT scans_pkey PRIMARY KEY (id),
  CONSTRAINT scans_qr_code_id_fkey FOREIGN KEY (qr_code_id) REFERENCES qr_codes (id) ON DELETE RESTRICT,
  CONSTRAINT scans_scanner_id_fkey FOREIGN KEY (scanner_id) REFERENCES users (id) ON DELETE SET NULL,
  CONSTRAINT scans_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT scans_type_known CHECK (type IN ('public', 'guest', 'user')),
  CONSTRAINT scans_class_known CHECK (class IN ('HUMAN', 'BOT', 'PREVIEW', 'OWNER', 'DUPLICATE')),
  CONSTRAINT scans_unique_human CHECK (class = 'HUMAN' OR NOT is_unique),
  CONSTRAINT scans_country_shape CHECK (country ~ '^[A-Z]{2}$'),
  CONSTRAINT scans_user_agent_bounded CHECK (length(user_agent) <= 512),
  CONSTRAINT scans_unlocked_version_known CHECK (unlocked_version IS NULL OR unlocked_at IS NOT NULL)
) PARTITION BY RANGE (id);
COMMENT ON TABLE scans IS 'One row a scan, in a partition of its month. The row is its own audit record.';
COMMENT ON COLUMN scans.id IS 'Record id; its first eight digits are the time of the scan, and choose the partition.';
COMMENT ON COLUMN scans.qr_code_id IS 'The code that was scanned.';
COMMENT ON COLUMN scans.owner_id IS 'The code''s owner, so that an owner''s list needs no join.';
COMMENT ON COLUMN scans.scanner_id IS 'The account that scanned, when signed in.';
COMMENT ON COLUMN scans.type IS 'public (page or plain scan), guest (with a position, no account) or user (signed in).';
COMMENT ON COLUMN scans.class IS 'HUMAN, BOT, PREVIEW, OWNER or DUPLICATE.';
COMMENT ON COLUMN scans.class_rule IS 'Name of the rule that decided the class.';
COMMENT ON COLUMN scans.is_unique IS 'Whether it is the first human scan of its visitor on this code and UTC day: what unique counts.';
COMMENT ON COLUMN scans.visitor_hash IS 'Keyed hash of truncated address, agent and code, under a key of the UTC day.';
COMMENT ON COLUMN scans.position IS 'Exact latitude, longitude, accuracy and address, encrypted.';
COMMENT ON COLUMN scans.city IS 'City by the geocoder.';
COMMENT ON COLUMN scans.region IS 'Region by the geocoder.';
COMMENT ON COLUMN scans.country IS 'Country by the geocoder (ISO 3166-1 alpha-2).';
COMMENT ON COLUMN scans.device IS 'Kind of device by the agent: phone, tablet, desktop, tv, bot or unknown.';
COMMENT ON COLUMN scans.os IS 'Family of the operating system by the agent, or unknown.';
COMMENT ON COLUMN scans.browser IS 'Family of the browser by the agent, or unknown.';
COMMENT ON COLUMN scans.ip_truncated IS 'Address without its last part: IPv4 /24, IPv6 /48.';
COMMENT ON COLUMN scans.user_agent IS 'Agent, cut to 512 characters.';
COMMENT ON COLUMN scans.unlocked_at IS 'When the right PIN was given.';
COMMENT ON COLUMN scans.unlocked_version IS 'The version of the code that the right PIN was given for; a newer one asks for it again.';
COMMENT ON COLUMN scans.scanned_at IS 'When it was scanned; to the second the time in its id.';
CREATE INDEX scans_qr_code_id_idx ON scans (qr_code_id, scanned_at DESC, id DESC);
COMMENT ON INDEX scans_qr_code_id_idx IS 'Serves: the scans of a code, newest or (read backwards) oldest first.';
CREATE INDEX scans_scanner_id_idx ON scans (scanner_id, id) WHERE scanner_id IS NOT NULL;
COMMENT ON INDEX scans_scanner_id_idx IS 'Serves: the scans that a person made, for their export, and the deletion of a person.';
CREATE INDEX scans_owner_id_idx ON scans (owner_id, scanned_at DESC, id DESC);
COMMENT ON INDEX scans_owner_id_idx IS 'Serves: the scans of an owner''s codes, newest or (read backwards) oldest first.';

-- Nothing that is acknowledged may find no partition.
CREATE TABLE partitions.scans_rest PARTITION OF scans DEFAULT;
COMMENT ON TABLE partitions.scans_rest IS 'Scans of months that have no partition: empty as long as partitions are made ahead.';

-- As the owner: the application makes no tables.
CREATE FUNCTION add_scan_partitions(from_day date, to_day date) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  month timestamp := date_trunc('month', from_day::timestamp);
  name text;
  low text;
  high text;
  made integer := 0;
BEGIN
  IF to_day - from_day > 400 * 31 THEN
    RAISE EXCEPTION 'partitions of more than 400 months at once' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('qr-profile-service scan partitions'));
  WHILE month <= to_day LOOP
    name := 'scans_' || to_char(month, 'YYYY_MM');
    low := lpad(to_hex(extract(epoch FROM month)::bigint), 8, '0') || repeat('0', 16);
    high := lpad(to_hex(extract(epoch FROM month + interval '1 month')::bigint), 8, '0') || repeat('0', 16);
    IF to_regclass('partitions.' || name) IS NULL THEN
      EXECUTE format('CREATE TABLE partitions.%I (LIKE scans INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
      -- Scans that came before their partition are brought into it.
      IF EXISTS (SELECT FROM partitions.scans_rest WHERE id >= low AND id < high) THEN
        EXECUTE format('WITH moved AS (DELETE FROM partitions.scans_rest WHERE id >= %L AND id < %L RETURNING *)
                        INSERT INTO partitions.%I SELECT * FROM moved', low, high, name);
      END IF;
      EXECUTE format('ALTER TABLE scans ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)', name, low, high);
      EXECUTE format('COMMENT ON TABLE partitions.%I IS %L', name, 'Scans of ' || to_char(month, 'YYYY-MM') || ' (UTC).');
      made := made + 1;
    END IF;
    month := month + interval '1 month';
  END LOOP;
  RETURN made;
END
$$;
COMMENT ON FUNCTION add_scan_partitions(date, date) IS 'Makes the monthly partitions of scans from one day to another that do not exist; answers how many.';

CREATE FUNCTION drop_scan_partitions(before_day date) RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  part record;
  dropped text[] := '{}';
BEGIN
  -- A younger limit than three months is a mistake rather than a wish.
  IF before_day > current_date - 90 THEN
    RAISE EXCEPTION 'scans of the last 90 days are kept' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('qr-profile-service scan partitions'));
  PERFORM set_config('lock_timeout', '2s', true);
  FOR part IN
    SELECT child.relname AS name FROM pg_inherits
    JOIN pg_class AS child ON child.oid = inhrelid
    WHERE inhparent = 'scans'::regclass AND child.relname ~ '^scans_[0-9]{4}_[0-9]{2}$'
      AND to_date(right(child.relname, 7), 'YYYY_MM') + interval '1 month' <= before_day
    ORDER BY 1
  LOOP
    EXECUTE format('ALTER TABLE scans DETACH PARTITION partitions.%I', part.name);
    EXECUTE format('DROP TABLE partitions.%I', part.name);
    dropped := dropped || part.name;
  END LOOP;
  RETURN dropped;
END
$$;
COMMENT ON FUNCTION drop_scan_partitions(date) IS 'Detaches and drops the partitions of scans that lie before a day as a whole; answers their names.';

-- In place of rights on what they make: who may call them is granted beside the other rights.
REVOKE EXECUTE ON FUNCTION add_scan_partitions(date, date), drop_scan_partitions(date) FROM PUBLIC;

SELECT add_scan_partitions(
  least(coalesce((SELECT min(scanned_at)::date FROM scans_whole), current_date), current_date),
  (current_date + interval '3 months')::date);

INSERT INTO scans (id, qr_code_id, owner_id, scanner_id, type, class, class_rule, is_unique, visitor_hash, position,
                   city, region, country, device, os, browser, ip_truncated, user_agent, unlocked_at, unlocked_version, scanned_at)
SELECT id, qr_code_id, owner_id, scanner_id, type, class, class_rule,
       class = 'HUMAN' AND row_number() OVER (
         PARTITION BY qr_code_id, (scanned_at AT TIME ZONE 'UTC')::date, visitor_hash, class ORDER BY scanned_at, id) = 1,
       visitor_hash, position, city, region, country, 'unknown', 'unknown', 'unknown', ip_truncated, user_agent,
       unlocked_at, unlocked_version, scanned_at
FROM scans_whole;
DROP TABLE scans_whole;

CREATE TRIGGER scans_by_living BEFORE INSERT ON scans
  FOR EACH ROW WHEN (NEW.scanner_id IS NOT NULL) EXECUTE FUNCTION forget_erased_scanner();
COMMENT ON TRIGGER scans_by_living ON scans IS 'A scan that an erasure overtook names no scanner.';

-- ---------------------------------------------------------------------------------------------
-- Whom a scan is by
-- ---------------------------------------------------------------------------------------------

ALTER TABLE scan_visitors ADD COLUMN counted_at timestamptz(3);
UPDATE scan_visitors SET counted_at = day;
ALTER TABLE scan_visitors ALTER COLUMN counted_at SET NOT NULL;
ALTER TABLE scan_visitors ADD COLUMN counted_by text COLLATE "C" NOT NULL DEFAULT '';
COMMENT ON COLUMN scan_visitors.counted_by IS 'The scan by which they were counted last.';
COMMENT ON COLUMN scan_visitors.counted_at IS 'The visitor''s last scan that was counted as a person: another one soon after is a DUPLICATE.';

-- ---------------------------------------------------------------------------------------------
-- Roll-ups
-- ---------------------------------------------------------------------------------------------

CREATE TABLE scan_rollups (
  subject_id text COLLATE "C" NOT NULL,
  span       text COLLATE "C" NOT NULL,
  starts_at  timestamptz(0) NOT NULL,
  total      integer NOT NULL,
  humans     integer NOT NULL,
  uniques    integer NOT NULL,
  breakdown  jsonb NOT NULL,
  CONSTRAINT scan_rollups_pkey PRIMARY KEY (subject_id, span, starts_at),
  CONSTRAINT scan_rollups_span_known CHECK (span IN ('DAY', 'QUARTER')),
  CONSTRAINT scan_rollups_counts_ordered CHECK (0 <= uniques AND uniques <= humans AND humans <= total AND total > 0),
  CONSTRAINT scan_rollups_breakdown_object CHECK (jsonb_typeof(breakdown) = 'object')
);
COMMENT ON TABLE scan_rollups IS 'Scans counted by code and by owner, for quarters of an hour and for UTC days; a span without scans has no row, and one in scan_stale_spans is counted from the scans.';
COMMENT ON COLUMN scan_rollups.subject_id IS 'The code, or the owner of codes.';
COMMENT ON COLUMN scan_rollups.span IS 'QUARTER: a quarter of an hour. DAY: a UTC day, made once it is over.';
COMMENT ON COLUMN scan_rollups.starts_at IS 'Where the span begins.';
COMMENT ON COLUMN scan_rollups.total IS 'Scans of all classes.';
COMMENT ON COLUMN scan_rollups.humans IS 'Scans by people.';
COMMENT ON COLUMN scan_rollups.uniques IS 'Scans by people that were the first of their visitor on the code and UTC day.';
COMMENT ON COLUMN scan_rollups.breakdown IS 'By dimension (class, country, city, device, os, browser) and value: [total, humans, uniques].';

CREATE TABLE scan_stale_spans (
  subject_id text COLLATE "C" NOT NULL,
  span       text COLLATE "C" NOT NULL,
  starts_at  timestamptz(0) NOT NULL,
  CONSTRAINT scan_stale_spans_pkey PRIMARY KEY (span, starts_at, subject_id),
  CONSTRAINT scan_stale_spans_span_known CHECK (span IN ('DAY', 'QUARTER'))
) WITH (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.1);
COMMENT ON TABLE scan_stale_spans IS 'Spans whose scans changed since they were rolled up: noted in the transaction of the change, taken out by the one that counts again.';
COMMENT ON COLUMN scan_stale_spans.subject_id IS 'As in scan_rollups.';
COMMENT ON COLUMN scan_stale_spans.span IS 'As in scan_rollups.';
COMMENT ON COLUMN scan_stale_spans.starts_at IS 'As in scan_rollups.';
CREATE INDEX scan_stale_spans_subject_id_idx ON scan_stale_spans (subject_id, span, starts_at);
COMMENT ON INDEX scan_stale_spans_subject_id_idx IS 'Serves: which spans of a code or owner are counted from the scans.';

INSERT INTO scan_stale_spans (subject_id, span, starts_at)
SELECT DISTINCT subject, span, starts_at FROM scans
CROSS JOIN LATERAL (VALUES (qr_code_id), (owner_id)) AS of_whom (subject)
CROSS JOIN LATERAL (VALUES
  ('QUARTER', date_bin('15 minutes', scanned_at, '2000-01-01Z')), ('DAY', date_bin('1 day', scanned_at, '2000-01-01Z'))
) AS spans (span, starts_at);
