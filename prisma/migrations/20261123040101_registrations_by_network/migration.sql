-- A code is compared with guesses from the network of its registration first. Pictures are stored after confirmation only.
ALTER TABLE pending_registrations
  ADD COLUMN network_hash bytea NOT NULL DEFAULT '\x',
  ADD COLUMN foreign_attempts integer NOT NULL DEFAULT 0,
  ADD CONSTRAINT pending_registrations_foreign_attempts_bounded CHECK (foreign_attempts BETWEEN 0 AND 5),
  DROP COLUMN picture,
  DROP COLUMN picture_extension;
ALTER TABLE pending_registrations ALTER COLUMN network_hash DROP DEFAULT;
COMMENT ON COLUMN pending_registrations.network_hash IS 'Keyed hash of the e-mail address and the network (IPv4 /24, IPv6 /48) that registered it.';
COMMENT ON COLUMN pending_registrations.attempts IS 'Codes of that network compared so far; five at most.';
COMMENT ON COLUMN pending_registrations.foreign_attempts IS 'Codes of other networks compared so far; five at most.';
COMMENT ON CONSTRAINT pending_registrations_foreign_attempts_bounded ON pending_registrations IS 'Five tries of other networks at the most.';

COMMENT ON TABLE login_delays IS 'Failed log-ins per e-mail address, per address and network, and per known device, and when the next attempt is allowed.';
COMMENT ON COLUMN login_delays.key IS 'Keyed hash of the e-mail address, of it and the network, or of the device.';
COMMENT ON COLUMN login_delays.consecutive_failures IS 'Consecutive failures; never reset by waiting. For an e-mail address: of all unknown devices.';
