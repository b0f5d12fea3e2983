-- The scans of all codes of an owner in one row, so that nobody adds up years of days for a card; and those of a quarter
-- of an hour by a function, so that what asks for them is planned without all partitions.

CREATE TABLE owner_scan_counts (
  owner_id text COLLATE "C" NOT NULL,
  total    bigint NOT NULL,
  humans   bigint NOT NULL,
  uniques  bigint NOT NULL,
  CONSTRAINT owner_scan_counts_pkey PRIMARY KEY (owner_id),
  CONSTRAINT owner_scan_counts_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT owner_scan_counts_ordered CHECK (0 <= uniques AND uniques <= humans AND humans <= total)
);
-- A changed row stays on its page.
ALTER TABLE owner_scan_counts SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
COMMENT ON TABLE owner_scan_counts IS 'The sum of an owner''s quarters of an hour in scan_rollups, kept in step within the transaction that counts them. Quarters in scan_stale_spans are to be put right from the scans.';
COMMENT ON COLUMN owner_scan_counts.owner_id IS 'Whose codes; an owner of whom nothing is rolled up has no row.';
COMMENT ON COLUMN owner_scan_counts.total IS 'Scans of all classes.';
COMMENT ON COLUMN owner_scan_counts.humans IS 'Scans of class HUMAN.';
COMMENT ON COLUMN owner_scan_counts.uniques IS 'Different human visitors of each code, added up over codes and UTC days.';
COMMENT ON CONSTRAINT owner_scan_counts_pkey ON owner_scan_counts IS 'One row an owner.';
COMMENT ON CONSTRAINT owner_scan_counts_owner_id_fkey ON owner_scan_counts IS 'The counts go with the account.';
COMMENT ON CONSTRAINT owner_scan_counts_ordered ON owner_scan_counts IS 'Never below zero, and never more uniques than humans, nor humans than scans.';

-- Nothing is rolled up between the sum and the commit.
LOCK TABLE scan_rollups IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO owner_scan_counts (owner_id, total, humans, uniques)
SELECT users.id, sum(total), sum(humans), sum(uniques)
FROM scan_rollups JOIN users ON users.id = subject_id WHERE span = 'QUARTER' GROUP BY users.id;

-- Planned once for any quarter: which partition it lies in is found by its ids each time, and planning for each of them
-- would take far longer than to count.
CREATE FUNCTION count_scans_of_quarter(of_owner text, quarter timestamptz, OUT total bigint, OUT humans bigint, OUT uniques bigint)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  SELECT count(*), count(*) FILTER (WHERE class = 'HUMAN'), count(*) FILTER (WHERE is_unique) INTO total, humans, uniques
  FROM scans
  WHERE owner_id = of_owner AND scanned_at >= quarter AND scanned_at < quarter + interval '15 minutes'
    AND id >= lpad(to_hex(extract(epoch FROM quarter)::bigint), 8, '0')
    AND id < lpad(to_hex(extract(epoch FROM quarter)::bigint + 900), 8, '0');
END
$$;
COMMENT ON FUNCTION count_scans_of_quarter(text, timestamptz) IS 'The scans of an owner''s codes in a quarter of an hour, counted from the rows as the calling statement sees them.';
