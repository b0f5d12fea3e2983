-- Scans are counted in rows of their own: each scan rewrites one, and those of the codes are wide, checked and indexed.

CREATE TABLE scan_counts (
  qr_code_id      text COLLATE "C" NOT NULL,
  total           bigint NOT NULL,
  humans          bigint NOT NULL,
  uniques         bigint NOT NULL,
  last_scanned_at timestamptz(3) NOT NULL,
  CONSTRAINT scan_counts_pkey PRIMARY KEY (qr_code_id),
  CONSTRAINT scan_counts_qr_code_id_fkey FOREIGN KEY (qr_code_id) REFERENCES qr_codes (id) ON DELETE CASCADE,
  CONSTRAINT scan_counts_ordered CHECK (0 <= uniques AND uniques <= humans AND humans <= total)
);
-- A changed row stays on its page.
ALTER TABLE scan_counts SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

INSERT INTO scan_counts (qr_code_id, total, humans, uniques, last_scanned_at)
SELECT id, scan_count, human_count, unique_count, coalesce(last_scanned_at, created_at) FROM qr_codes WHERE scan_count > 0;

CREATE OR REPLACE VIEW reporting.codes AS
SELECT id, owner_id, kind, mode,
       CASE WHEN status <> 'DELETED' AND expires_at <= now() THEN 'EXPIRED' ELSE status END AS status,
       pin_hash IS NOT NULL AS has_pin, contactable, coalesce(counts.total, 0) AS total,
       coalesce(counts.humans, 0) AS humans, coalesce(counts.uniques, 0) AS uniques,
       counts.last_scanned_at, expires_at, deleted_at, created_at, updated_at
FROM qr_codes LEFT JOIN scan_counts AS counts ON counts.qr_code_id = qr_codes.id;

ALTER TABLE qr_codes DROP COLUMN scan_count, DROP COLUMN human_count, DROP COLUMN unique_count, DROP COLUMN last_scanned_at;

COMMENT ON TABLE scan_counts IS 'The scans of a code, counted in the statement that stores them; a code without scans has no row.';
COMMENT ON COLUMN scan_counts.qr_code_id IS 'The code.';
COMMENT ON COLUMN scan_counts.total IS 'Scans of all classes.';
COMMENT ON COLUMN scan_counts.humans IS 'Scans of class HUMAN.';
COMMENT ON COLUMN scan_counts.uniques IS 'Different human visitors, added up over UTC days.';
COMMENT ON COLUMN scan_counts.last_scanned_at IS 'Time of the last scan.';
COMMENT ON CONSTRAINT scan_counts_pkey ON scan_counts IS 'One row a code.';
COMMENT ON CONSTRAINT scan_counts_qr_code_id_fkey ON scan_counts IS 'The code exists; its counts go with it.';
COMMENT ON CONSTRAINT scan_counts_ordered ON scan_counts IS 'Never below zero, and never more uniques than humans, nor humans than scans.';
