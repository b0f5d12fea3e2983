-- Where the finder says the scanned thing is, after the scan: a trail that is written and never changed.

CREATE TABLE scan_locations (
  id            text COLLATE "C" NOT NULL,
  scan_id       text COLLATE "C" NOT NULL,
  owner_id      text COLLATE "C" NOT NULL,
  position_hash bytea NOT NULL,
  position      bytea NOT NULL,
  city          text,
  region        text,
  country       text,
  told          boolean NOT NULL,
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
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
COMMENT ON COLUMN scan_locations.city IS 'City by the geocoder.';
COMMENT ON COLUMN scan_locations.region IS 'Region by the geocoder.';
COMMENT ON COLUMN scan_locations.country IS 'Country by the geocoder (ISO 3166-1 alpha-2).';
COMMENT ON COLUMN scan_locations.told IS 'Whether the owner got a notification of it: once a minute of one scan at the most.';
COMMENT ON COLUMN scan_locations.created_at IS 'When it was given.';
COMMENT ON CONSTRAINT scan_locations_position_key ON scan_locations IS 'Serves: the trail of a scan, and whether a position is in it already.';
CREATE INDEX scan_locations_owner_id_idx ON scan_locations (owner_id, id);
COMMENT ON INDEX scan_locations_owner_id_idx IS 'Serves: the erasure of an account.';
COMMENT ON CONSTRAINT scan_locations_country_shape ON scan_locations IS 'Two capital letters.';
