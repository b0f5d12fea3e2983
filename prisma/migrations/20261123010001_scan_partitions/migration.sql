-- Partitions of scans are added and dropped beside reports and scans, without waiting in front of them.

-- The default partition would be locked against every reader while a partition is attached.
DO $$
DECLARE
  month date;
BEGIN
  FOR month IN
    SELECT DISTINCT date_trunc('month', to_timestamp(('x' || left(id, 8))::bit(32)::bigint) AT TIME ZONE 'UTC')::date
    FROM partitions.scans_default
  LOOP
    PERFORM add_scan_partitions(month, month);
  END LOOP;
END
$$;
ALTER TABLE scans DETACH PARTITION partitions.scans_default;
DROP TABLE partitions.scans_default;

-- SECURITY DEFINER: the application may not create tables. Attaching locks `scans` against other changes of its
-- structure only, and the referenced tables against writes: for a moment, or not at all.
CREATE OR REPLACE FUNCTION add_scan_partitions(from_day date, to_day date) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public SET lock_timeout = '200ms' AS $$
DECLARE
  month timestamp := date_trunc('month', from_day::timestamp);
  name text;
  low text;
  high text;
  made integer := 0;
  -- Of the partition for everything before.
  bound date := (SELECT to_date(right(relname, 7), 'YYYY_MM') FROM pg_class
                 WHERE relnamespace = 'partitions'::regnamespace AND relname ~ '^scans_before_[0-9]{4}_[0-9]{2}$');
BEGIN
  month := greatest(month, bound);
  IF to_day - from_day > 400 * 31 THEN
    RAISE EXCEPTION 'partitions of more than 400 months at once' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  WHILE month <= to_day LOOP
    name := 'scans_' || to_char(month, 'YYYY_MM');
    IF to_regclass('partitions.' || name) IS NULL THEN
      PERFORM pg_advisory_xact_lock(hashtext('qr-profile-service scan partitions'));
    END IF;
    IF to_regclass('partitions.' || name) IS NULL THEN
      low := lpad(to_hex(extract(epoch FROM month)::bigint), 8, '0') || repeat('0', 16);
      high := lpad(to_hex(extract(epoch FROM month + interval '1 month')::bigint), 8, '0') || repeat('0', 16);
      EXECUTE format('CREATE TABLE partitions.%I (LIKE scans INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
      EXECUTE format('ALTER TABLE scans ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)', name, low, high);
      EXECUTE format('COMMENT ON TABLE partitions.%I IS %L', name, 'Scans of ' || to_char(month, 'YYYY-MM') || ' (UTC).');
      made := made + 1;
    END IF;
    month := month + interval '1 month';
  END LOOP;
  RETURN made;
END
$$;
COMMENT ON FUNCTION add_scan_partitions(date, date) IS 'Makes the monthly partitions of scans from one day to another that do not exist and do not lie before the first one; answers how many. Fails with lock_not_available where a lock would take longer than 0.2 s.';

-- Detaching locks `scans` against readers too, so it drops one partition a call. The partition for
-- everything before is emptied in batches.
CREATE OR REPLACE FUNCTION drop_scan_partitions(before_day date) RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public SET lock_timeout = '200ms' AS $$
DECLARE
  part text;
  low text := lpad(to_hex(extract(epoch FROM before_day)::bigint), 8, '0');
BEGIN
  -- A younger limit than three months is a mistake rather than a wish.
  IF before_day > current_date - 90 THEN
    RAISE EXCEPTION 'scans of the last 90 days are kept' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('qr-profile-service scan partitions'));
  SELECT child.relname INTO part FROM pg_inherits
    JOIN pg_class AS child ON child.oid = inhrelid
    WHERE inhparent = 'scans'::regclass AND child.relname ~ '^scans_[0-9]{4}_[0-9]{2}$'
      AND to_date(right(child.relname, 7), 'YYYY_MM') + interval '1 month' <= before_day
    ORDER BY 1 LIMIT 1;
  IF part IS NULL THEN
    SELECT relname INTO part FROM pg_class
      WHERE relnamespace = 'partitions'::regnamespace AND relname ~ '^scans_before_[0-9]{4}_[0-9]{2}$';
    EXECUTE format('WITH gone AS (DELETE FROM partitions.%1$I WHERE id IN
                      (SELECT id FROM partitions.%1$I WHERE id < %2$L LIMIT 5000) RETURNING 1)
                    SELECT CASE WHEN EXISTS (SELECT FROM gone) THEN %1$L END', part, low) INTO part;
    RETURN array_remove(ARRAY[part], NULL);
  END IF;
  EXECUTE format('ALTER TABLE scans DETACH PARTITION partitions.%I', part);
  EXECUTE format('DROP TABLE partitions.%I', part);
  RETURN ARRAY[part];
END
$$;
COMMENT ON FUNCTION drop_scan_partitions(date) IS 'Detaches and drops the oldest partition of scans that lies before a day as a whole; answers its name; without one deletes a batch of older scans. Fails with lock_not_available where a lock would take longer than 0.2 s.';

-- Last month for scans at its end, and the next twelve.
SELECT add_scan_partitions((current_date - interval '1 month')::date, (current_date + interval '12 months')::date);

-- Scans of imports and tests of earlier months. Unlike a default partition it is not locked while another is attached.
DO $$
DECLARE
  first date := (SELECT min(to_date(right(child.relname, 7), 'YYYY_MM')) FROM pg_inherits
                 JOIN pg_class AS child ON child.oid = inhrelid
                 WHERE inhparent = 'scans'::regclass AND child.relname ~ '^scans_[0-9]{4}_[0-9]{2}$');
  name text := 'scans_before_' || to_char(first, 'YYYY_MM');
BEGIN
  EXECUTE format('CREATE TABLE partitions.%I PARTITION OF scans FOR VALUES FROM (MINVALUE) TO (%L)', name,
                 lpad(to_hex(extract(epoch FROM first)::bigint), 8, '0') || repeat('0', 16));
  EXECUTE format('COMMENT ON TABLE partitions.%I IS %L', name, 'Scans before the first monthly partition.');
END
$$;
