-- Compatible with earlier versions: yes
CREATE TABLE scan_archives (
  name       text COLLATE "C" NOT NULL,
  last_id    text COLLATE "C" NOT NULL,
  scans      integer NOT NULL,
  size       bigint NOT NULL,
  sha256     text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT scan_archives_pkey PRIMARY KEY (name),
  CONSTRAINT scan_archives_last_id_key UNIQUE (last_id),
  CONSTRAINT scan_archives_name_shape CHECK (name ~ '^scans-[0-9]{4}-[0-9]{2}-[0-9a-f]{24}\.jsonl\.gz$'),
  CONSTRAINT scan_archives_sha256_shape CHECK (sha256 ~ '^[0-9a-f]{64}$')
);
COMMENT ON TABLE scan_archives IS 'Files with the scans that retention drops, if SCAN_ARCHIVE is on: compressed JSON lines without anything about the visitor, each of one UTC month.';
COMMENT ON COLUMN scan_archives.name IS 'Name in the store of private files.';
COMMENT ON COLUMN scan_archives.last_id IS 'Id of the last scan in it; the next file begins after it.';
COMMENT ON COLUMN scan_archives.scans IS 'Number of scans, one line each.';
COMMENT ON COLUMN scan_archives.size IS 'Bytes of the file.';
COMMENT ON COLUMN scan_archives.sha256 IS 'SHA-256 of the file.';
COMMENT ON COLUMN scan_archives.created_at IS 'When it was written.';
COMMENT ON CONSTRAINT scan_archives_pkey ON scan_archives IS 'One row per file. Serves: whether a file is known.';
COMMENT ON CONSTRAINT scan_archives_last_id_key ON scan_archives IS 'A scan is in one file. Serves: where the next file begins.';
COMMENT ON CONSTRAINT scan_archives_name_shape ON scan_archives IS 'The month, and a random id.';
COMMENT ON CONSTRAINT scan_archives_sha256_shape ON scan_archives IS '64 hexadecimal digits.';
