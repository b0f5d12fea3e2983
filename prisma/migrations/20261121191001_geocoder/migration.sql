-- Addresses by a server that names positions, asked after the scan.

ALTER TABLE scans ADD COLUMN address bytea;
COMMENT ON COLUMN scans.address IS 'Street address by a geocoding server, encrypted; it stands for the one in position, which is never changed.';
ALTER TABLE scan_locations ADD COLUMN address bytea;
COMMENT ON COLUMN scan_locations.address IS 'Street address by a geocoding server, encrypted; it stands for the one in position, which is never changed.';

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
CREATE INDEX geocoded_cells_created_at_idx ON geocoded_cells (created_at);
COMMENT ON INDEX geocoded_cells_created_at_idx IS 'Serves: forgetting old answers.';

CREATE TABLE geocoder_state (
  is_only       boolean NOT NULL DEFAULT true,
  asked_at      timestamptz(3) NOT NULL DEFAULT '1970-01-01Z',
  failing_since timestamptz(3),
  CONSTRAINT geocoder_state_pkey PRIMARY KEY (is_only),
  CONSTRAINT geocoder_state_is_one_row CHECK (is_only)
);
COMMENT ON TABLE geocoder_state IS 'One row: what all instances must know of the geocoding server.';
COMMENT ON COLUMN geocoder_state.is_only IS 'Always true.';
COMMENT ON COLUMN geocoder_state.asked_at IS 'When it was asked last: once a second at the most.';
COMMENT ON COLUMN geocoder_state.failing_since IS 'Since when it does not answer; null while it does.';
INSERT INTO geocoder_state DEFAULT VALUES;
COMMENT ON CONSTRAINT geocoder_state_is_one_row ON geocoder_state IS 'There is one row.';
