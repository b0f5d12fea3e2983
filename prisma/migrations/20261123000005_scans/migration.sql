-- Scans in monthly partitions, the counts and roll-ups behind statistics, and positions.

-- ---------------------------------------------------------------------------------------------
-- Scans
-- ---------------------------------------------------------------------------------------------

CREATE SCHEMA partitions;
COMMENT ON SCHEMA partitions IS 'The parts of partitioned tables. They are read and written through the table that they are parts of.';

CREATE FUNCTION clear_erased_scanner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_erased(NEW.scanner_id) THEN
    NEW.scanner_id := NULL;
  END IF;
  RETURN NEW;
END
$$;
COMMENT ON FUNCTION clear_erased_scanner() IS 'Clears the scanner of a scan if that account was erased during the request.';

CREATE TABLE scans (
  id               text COLLATE "C" NOT NULL,
  qr_code_id       text COLLATE "C" NOT NULL,
  owner_id         text COLLATE "C" NOT NULL,
  scanner_id       text COLLATE "C",
  type             text NOT NULL,
  class            text NOT NULL,
  class_rule       text NOT NULL,
  is_unique        boolean NOT NULL DEFAULT false,
  visitor_hash     bytea NOT NULL,
  position         bytea,
  address          bytea,
  city             text,
  region           text,
  country          text,
  device           text NOT NULL DEFAULT 'unknown',
  os               text NOT NULL DEFAULT 'unknown',
  browser          text NOT NULL DEFAULT 'unknown',
  ip_truncated     text NOT NULL,
  user_agent       text NOT NULL,
  unlocked_at      timestamptz(3),
  unlocked_version integer,
  scanned_at       timestamptz(3) NOT NULL DEFAULT now(),
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
COMMENT ON COLUMN scans.address IS 'Street address by a geocoding server, encrypted; it stands for the one in position, which is never changed.';
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
COMMENT ON CONSTRAINT scans_unique_human ON scans IS 'Only a scan by a person can be the first of its visitor.';
COMMENT ON CONSTRAINT scans_country_shape ON scans IS 'Two capital letters (ISO 3166-1 alpha-2).';
COMMENT ON CONSTRAINT scans_unlocked_version_known ON scans IS 'A version that was unlocked has the time of it.';
CREATE INDEX scans_qr_code_id_idx ON scans (qr_code_id, scanned_at DESC, id DESC);
COMMENT ON INDEX scans_qr_code_id_idx IS 'Serves: the scans of a code, newest or (read backwards) oldest first.';
CREATE INDEX scans_scanner_id_idx ON scans (scanner_id, id) WHERE scanner_id IS NOT NULL;
COMMENT ON INDEX scans_scanner_id_idx IS 'Serves: the scans that a user made, for their export, and the deletion of a user.';
CREATE INDEX scans_owner_id_idx ON scans (owner_id, scanned_at DESC, id DESC);
COMMENT ON INDEX scans_owner_id_idx IS 'Serves: the scans of an owner''s codes, newest or (read backwards) oldest first.';

-- A default partition, so that no scan is refused because its month has no partition yet.
CREATE TABLE partitions.scans_default PARTITION OF scans DEFAULT;
COMMENT ON TABLE partitions.scans_default IS 'Default partition for scans of months without a partition; empty as long as partitions are created ahead.';

-- SECURITY DEFINER: the application may not create tables.
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
      IF EXISTS (SELECT FROM partitions.scans_default WHERE id >= low AND id < high) THEN
        EXECUTE format('WITH moved AS (DELETE FROM partitions.scans_default WHERE id >= %L AND id < %L RETURNING *)
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

REVOKE EXECUTE ON FUNCTION add_scan_partitions(date, date), drop_scan_partitions(date) FROM PUBLIC;

-- Today's month and the next three; a job adds the later ones ahead of time.
SELECT add_scan_partitions(current_date, (current_date + interval '3 months')::date);

CREATE TRIGGER scans_erasure_guard BEFORE INSERT ON scans
  FOR EACH ROW WHEN (NEW.scanner_id IS NOT NULL) EXECUTE FUNCTION clear_erased_scanner();
COMMENT ON TRIGGER scans_erasure_guard ON scans IS 'A scan does not name an erased account.';

CREATE TABLE scan_visitors (
  qr_code_id      text COLLATE "C" NOT NULL,
  day             date NOT NULL,
  visitor_hash    bytea NOT NULL,
  counted_at      timestamptz(3) NOT NULL,
  counted_scan_id text COLLATE "C" NOT NULL DEFAULT '',
  CONSTRAINT scan_visitors_pkey PRIMARY KEY (qr_code_id, day, visitor_hash),
  CONSTRAINT scan_visitors_qr_code_id_fkey FOREIGN KEY (qr_code_id) REFERENCES qr_codes (id) ON DELETE CASCADE
);
COMMENT ON TABLE scan_visitors IS 'Human visitors seen on a UTC day, so that a second scan is not counted as a second person.';
COMMENT ON COLUMN scan_visitors.qr_code_id IS 'The code.';
COMMENT ON COLUMN scan_visitors.day IS 'UTC day.';
COMMENT ON COLUMN scan_visitors.visitor_hash IS 'As in scans.';
COMMENT ON COLUMN scan_visitors.counted_at IS 'Time of the visitor''s last scan that was counted as HUMAN; another one soon after is a DUPLICATE.';
COMMENT ON COLUMN scan_visitors.counted_scan_id IS 'Id of that scan; empty if unknown.';
CREATE INDEX scan_visitors_day_idx ON scan_visitors USING brin (day);
COMMENT ON INDEX scan_visitors_day_idx IS 'Serves: clean-up.';

-- ---------------------------------------------------------------------------------------------
-- Counts
-- ---------------------------------------------------------------------------------------------

-- Not columns of qr_codes: each scan updates a row, and rows of codes are wide, checked and indexed. Half of a page is left
-- free for HOT updates.
CREATE TABLE scan_counts (
  qr_code_id      text COLLATE "C" NOT NULL,
  total           bigint NOT NULL,
  humans          bigint NOT NULL,
  uniques         bigint NOT NULL,
  last_scanned_at timestamptz(3) NOT NULL,
  CONSTRAINT scan_counts_pkey PRIMARY KEY (qr_code_id),
  CONSTRAINT scan_counts_qr_code_id_fkey FOREIGN KEY (qr_code_id) REFERENCES qr_codes (id) ON DELETE CASCADE,
  CONSTRAINT scan_counts_ordered CHECK (0 <= uniques AND uniques <= humans AND humans <= total)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
COMMENT ON TABLE scan_counts IS 'The scans of a code, counted in the statement that stores them; a code without scans has no row.';
COMMENT ON COLUMN scan_counts.qr_code_id IS 'The code.';
COMMENT ON COLUMN scan_counts.total IS 'Scans of all classes.';
COMMENT ON COLUMN scan_counts.humans IS 'Scans of class HUMAN.';
COMMENT ON COLUMN scan_counts.uniques IS 'Different human visitors, added up over UTC days.';
COMMENT ON COLUMN scan_counts.last_scanned_at IS 'Time of the last scan.';
COMMENT ON CONSTRAINT scan_counts_pkey ON scan_counts IS 'One row a code.';
COMMENT ON CONSTRAINT scan_counts_qr_code_id_fkey ON scan_counts IS 'The code exists; its counts go with it.';
COMMENT ON CONSTRAINT scan_counts_ordered ON scan_counts IS 'Never below zero, and never more uniques than humans, nor humans than scans.';

-- Half of a page is left free for HOT updates.
CREATE TABLE owner_scan_counts (
  owner_id text COLLATE "C" NOT NULL,
  total    bigint NOT NULL,
  humans   bigint NOT NULL,
  uniques  bigint NOT NULL,
  CONSTRAINT owner_scan_counts_pkey PRIMARY KEY (owner_id),
  CONSTRAINT owner_scan_counts_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT owner_scan_counts_ordered CHECK (0 <= uniques AND uniques <= humans AND humans <= total)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
COMMENT ON TABLE owner_scan_counts IS 'Sum of an owner''s 15-minute buckets in scan_rollups, updated in the transaction that rolls them up. Buckets in scan_dirty_buckets have to be corrected from the scans.';
COMMENT ON COLUMN owner_scan_counts.owner_id IS 'Whose codes; an owner of whom nothing is rolled up has no row.';
COMMENT ON COLUMN owner_scan_counts.total IS 'Scans of all classes.';
COMMENT ON COLUMN owner_scan_counts.humans IS 'Scans of class HUMAN.';
COMMENT ON COLUMN owner_scan_counts.uniques IS 'Different human visitors of each code, added up over codes and UTC days.';
COMMENT ON CONSTRAINT owner_scan_counts_pkey ON owner_scan_counts IS 'One row an owner.';
COMMENT ON CONSTRAINT owner_scan_counts_owner_id_fkey ON owner_scan_counts IS 'The counts go with the account.';
COMMENT ON CONSTRAINT owner_scan_counts_ordered ON owner_scan_counts IS 'Never below zero, and never more uniques than humans, nor humans than scans.';

-- Vacuumed often: the counts are read by index-only scans.
CREATE TABLE scan_rollups (
  subject_id  text COLLATE "C" NOT NULL,
  bucket_size text COLLATE "C" NOT NULL,
  starts_at   timestamptz(0) NOT NULL,
  total       integer NOT NULL,
  humans      integer NOT NULL,
  uniques     integer NOT NULL,
  breakdown   jsonb NOT NULL,
  CONSTRAINT scan_rollups_pkey PRIMARY KEY (subject_id, bucket_size, starts_at) INCLUDE (total, humans, uniques),
  CONSTRAINT scan_rollups_bucket_size_known CHECK (bucket_size IN ('DAY', 'QUARTER_HOUR')),
  CONSTRAINT scan_rollups_counts_ordered CHECK (0 <= uniques AND uniques <= humans AND humans <= total AND total > 0),
  CONSTRAINT scan_rollups_breakdown_object CHECK (jsonb_typeof(breakdown) = 'object')
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02);
COMMENT ON TABLE scan_rollups IS 'Scans rolled up by code and by owner, in buckets of 15 minutes and of UTC days. A bucket without scans has no row; a dirty bucket (scan_dirty_buckets) is counted from the scans.';
COMMENT ON COLUMN scan_rollups.subject_id IS 'The code, or the owner of codes.';
COMMENT ON COLUMN scan_rollups.bucket_size IS 'QUARTER_HOUR: 15 minutes. DAY: a UTC day, rolled up once it is over.';
COMMENT ON COLUMN scan_rollups.starts_at IS 'Start of the bucket.';
COMMENT ON COLUMN scan_rollups.total IS 'Scans of all classes.';
COMMENT ON COLUMN scan_rollups.humans IS 'Scans by people.';
COMMENT ON COLUMN scan_rollups.uniques IS 'Scans by people that were the first of their visitor on the code and UTC day.';
COMMENT ON COLUMN scan_rollups.breakdown IS 'By dimension (class, country, city, device, os, browser) and value: [total, humans, uniques].';
COMMENT ON CONSTRAINT scan_rollups_pkey ON scan_rollups IS 'One row per code or owner and bucket. Serves: the counts of a code or owner over any period, as an index-only scan.';
COMMENT ON CONSTRAINT scan_rollups_counts_ordered ON scan_rollups IS 'At least one scan, and never more uniques than humans, nor humans than scans.';
COMMENT ON CONSTRAINT scan_rollups_breakdown_object ON scan_rollups IS 'An object of dimensions.';

-- Vacuumed often: its rows come and go.
CREATE TABLE scan_dirty_buckets (
  subject_id  text COLLATE "C" NOT NULL,
  bucket_size text COLLATE "C" NOT NULL,
  starts_at   timestamptz(0) NOT NULL,
  CONSTRAINT scan_dirty_buckets_pkey PRIMARY KEY (bucket_size, starts_at, subject_id),
  CONSTRAINT scan_dirty_buckets_bucket_size_known CHECK (bucket_size IN ('DAY', 'QUARTER_HOUR'))
) WITH (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.1);
COMMENT ON TABLE scan_dirty_buckets IS 'Buckets whose scans changed since they were rolled up: inserted in the transaction of the change, deleted in the transaction that rolls them up again.';
COMMENT ON COLUMN scan_dirty_buckets.subject_id IS 'As in scan_rollups.';
COMMENT ON COLUMN scan_dirty_buckets.bucket_size IS 'As in scan_rollups.';
COMMENT ON COLUMN scan_dirty_buckets.starts_at IS 'As in scan_rollups.';
CREATE INDEX scan_dirty_buckets_subject_id_idx ON scan_dirty_buckets (subject_id, bucket_size, starts_at);
COMMENT ON INDEX scan_dirty_buckets_subject_id_idx IS 'Serves: the dirty buckets of a code or owner.';

-- A generic plan, with the partition chosen by the range of ids at run time: planning each call for all partitions would take
-- far longer than counting.
CREATE FUNCTION count_scans_in_quarter_hour(of_owner text, bucket_start timestamptz, OUT total bigint, OUT humans bigint, OUT uniques bigint)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  SELECT count(*), count(*) FILTER (WHERE class = 'HUMAN'), count(*) FILTER (WHERE is_unique) INTO total, humans, uniques
  FROM scans
  WHERE owner_id = of_owner AND scanned_at >= bucket_start AND scanned_at < bucket_start + interval '15 minutes'
    AND id >= lpad(to_hex(extract(epoch FROM bucket_start)::bigint), 8, '0')
    AND id < lpad(to_hex(extract(epoch FROM bucket_start)::bigint + 900), 8, '0');
END
$$;
COMMENT ON FUNCTION count_scans_in_quarter_hour(text, timestamptz) IS 'Counts of the scans of an owner''s codes in a 15-minute bucket, from the rows that the calling statement sees.';

-- ---------------------------------------------------------------------------------------------
-- Positions
-- ---------------------------------------------------------------------------------------------

CREATE TABLE scan_locations (
  id             text COLLATE "C" NOT NULL,
  scan_id        text COLLATE "C" NOT NULL,
  owner_id       text COLLATE "C" NOT NULL,
  position_hash  bytea NOT NULL,
  position       bytea NOT NULL,
  address        bytea,
  city           text,
  region         text,
  country        text,
  owner_notified boolean NOT NULL,
  created_at     timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT scan_locations_pkey PRIMARY KEY (id),
  CONSTRAINT scan_locations_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT scan_locations_position_key UNIQUE (scan_id, position_hash),
  CONSTRAINT scan_locations_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT scan_locations_scan_id_shape CHECK (scan_id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT scan_locations_country_shape CHECK (country ~ '^[A-Z]{2}$')
);
COMMENT ON TABLE scan_locations IS 'Positions that were given for a scan afterwards, up to 20 within a day: its trail.';
COMMENT ON COLUMN scan_locations.id IS 'Record id.';
COMMENT ON COLUMN scan_locations.scan_id IS 'The scan. Without a foreign key: scans are dropped a month at a time, and a job deletes what was of them.';
COMMENT ON COLUMN scan_locations.owner_id IS 'The owner of the code that was scanned.';
COMMENT ON COLUMN scan_locations.position_hash IS 'Keyed hash of scan and coordinates: the same again is the same row.';
COMMENT ON COLUMN scan_locations.position IS 'Exact latitude, longitude, accuracy and address, encrypted.';
COMMENT ON COLUMN scan_locations.address IS 'Street address by a geocoding server, encrypted; it stands for the one in position, which is never changed.';
COMMENT ON COLUMN scan_locations.city IS 'City by the geocoder.';
COMMENT ON COLUMN scan_locations.region IS 'Region by the geocoder.';
COMMENT ON COLUMN scan_locations.country IS 'Country by the geocoder (ISO 3166-1 alpha-2).';
COMMENT ON COLUMN scan_locations.owner_notified IS 'Whether the owner was notified of this position: at most once a minute per scan.';
COMMENT ON COLUMN scan_locations.created_at IS 'When it was given.';
COMMENT ON CONSTRAINT scan_locations_position_key ON scan_locations IS 'Serves: the trail of a scan, and whether a position is in it already.';
COMMENT ON CONSTRAINT scan_locations_country_shape ON scan_locations IS 'Two capital letters.';
CREATE INDEX scan_locations_owner_id_idx ON scan_locations (owner_id, id);
COMMENT ON INDEX scan_locations_owner_id_idx IS 'Serves: the erasure of an account.';

CREATE TABLE geocoded_cells (
  id         text COLLATE "C" NOT NULL,
  place      bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT geocoded_cells_pkey PRIMARY KEY (id),
  CONSTRAINT geocoded_cells_id_shape CHECK (id ~ '^[0-9a-f]{64}$')
);
COMMENT ON TABLE geocoded_cells IS 'What a geocoding server answered for a cell of about ten metres, for 90 days.';
COMMENT ON COLUMN geocoded_cells.id IS 'Keyed hash of the cell, so that the table does not say where anybody was.';
COMMENT ON COLUMN geocoded_cells.place IS 'The answer, encrypted.';
COMMENT ON COLUMN geocoded_cells.created_at IS 'When it was answered.';
COMMENT ON CONSTRAINT geocoded_cells_id_shape ON geocoded_cells IS 'A keyed hash: 64 hexadecimal digits.';
CREATE INDEX geocoded_cells_created_at_idx ON geocoded_cells (created_at);
COMMENT ON INDEX geocoded_cells_created_at_idx IS 'Serves: forgetting old answers.';

CREATE TABLE geocoder_state (
  singleton       boolean NOT NULL DEFAULT true,
  last_request_at timestamptz(3) NOT NULL DEFAULT '1970-01-01Z',
  failing_since   timestamptz(3),
  CONSTRAINT geocoder_state_pkey PRIMARY KEY (singleton),
  CONSTRAINT geocoder_state_single_row CHECK (singleton)
);
COMMENT ON TABLE geocoder_state IS 'State of the geocoding server that all instances share; one row.';
COMMENT ON COLUMN geocoder_state.singleton IS 'Always true: the table has one row.';
COMMENT ON COLUMN geocoder_state.last_request_at IS 'Time of the last request: at most one a second.';
COMMENT ON COLUMN geocoder_state.failing_since IS 'Since when the server has been failing; null while it works.';
COMMENT ON CONSTRAINT geocoder_state_single_row ON geocoder_state IS 'The table has one row.';
INSERT INTO geocoder_state DEFAULT VALUES;
