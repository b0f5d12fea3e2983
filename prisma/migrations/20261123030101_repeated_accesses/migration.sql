CREATE TABLE repeated_accesses (
  action      text COLLATE "C" NOT NULL,
  resource_id text COLLATE "C" NOT NULL,
  network     text COLLATE "C" NOT NULL,
  day         date NOT NULL,
  count       integer NOT NULL,
  recorded    integer NOT NULL DEFAULT 0,
  CONSTRAINT repeated_accesses_pkey PRIMARY KEY (day, resource_id, network, action),
  CONSTRAINT repeated_accesses_recorded_not_negative CHECK (recorded >= 0)
);
COMMENT ON TABLE repeated_accesses IS 'Accesses of one network to one record on one day. The first ones have an audit entry each; the others are counted here until an hourly entry records their number.';
COMMENT ON COLUMN repeated_accesses.action IS 'The audit action of each access.';
COMMENT ON COLUMN repeated_accesses.resource_id IS 'Id of the record.';
COMMENT ON COLUMN repeated_accesses.network IS 'Truncated address, as in audit_origins: IPv4 to /24, IPv6 to /48.';
COMMENT ON COLUMN repeated_accesses.day IS 'The UTC day.';
COMMENT ON COLUMN repeated_accesses.count IS 'Accesses of that day.';
COMMENT ON COLUMN repeated_accesses.recorded IS 'How many of them the audit trail has, as entries of their own or in a number.';
COMMENT ON CONSTRAINT repeated_accesses_pkey ON repeated_accesses IS 'One row for each day, resource_id, network, action.';
COMMENT ON CONSTRAINT repeated_accesses_recorded_not_negative ON repeated_accesses IS 'Never below zero.';
