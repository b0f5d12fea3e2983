-- What administrators count: finished days once, codes by kind from an index alone.

CREATE TABLE service_days (
  day      date NOT NULL,
  users    integer NOT NULL,
  qr_codes integer NOT NULL,
  scans    integer NOT NULL,
  humans   integer NOT NULL,
  uniques  integer NOT NULL,
  CONSTRAINT service_days_pkey PRIMARY KEY (day),
  CONSTRAINT service_days_counts_ordered CHECK (0 <= uniques AND uniques <= humans AND humans <= scans),
  CONSTRAINT service_days_counts_not_negative CHECK (users >= 0 AND qr_codes >= 0)
);
COMMENT ON TABLE service_days IS 'Counts over the whole service by finished UTC day, each counted once; the running day is counted when it is asked for.';
COMMENT ON COLUMN service_days.day IS 'UTC day.';
COMMENT ON COLUMN service_days.users IS 'Accounts made on the day.';
COMMENT ON COLUMN service_days.qr_codes IS 'QR codes made on the day.';
COMMENT ON COLUMN service_days.scans IS 'Scans of the day, of all classes.';
COMMENT ON COLUMN service_days.humans IS 'Scans of class HUMAN.';
COMMENT ON COLUMN service_days.uniques IS 'Different human visitors of the day.';

CREATE INDEX qr_codes_kind_idx ON qr_codes (kind, status, expires_at);
COMMENT ON INDEX qr_codes_kind_idx IS 'Serves: how many codes there are by kind and status, without a look at the table.';
CREATE INDEX qr_codes_expires_at_idx ON qr_codes (expires_at) WHERE expires_at IS NOT NULL AND status <> 'DELETED';
COMMENT ON INDEX qr_codes_expires_at_idx IS 'Serves: codes that have expired.';
