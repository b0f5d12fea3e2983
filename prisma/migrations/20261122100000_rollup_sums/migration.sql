-- Sums over many spans come from the key's index alone: rows of one code or owner lie scattered in the table.

ALTER TABLE scan_rollups DROP CONSTRAINT scan_rollups_pkey;
ALTER TABLE scan_rollups ADD CONSTRAINT scan_rollups_pkey
  PRIMARY KEY (subject_id, span, starts_at) INCLUDE (total, humans, uniques);
COMMENT ON CONSTRAINT scan_rollups_pkey ON scan_rollups IS 'One row a code or owner and span. Serves: the counts of a code or owner over any time, with the counts in the index.';
-- An index alone answers for pages that are vacuumed.
ALTER TABLE scan_rollups SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02);
