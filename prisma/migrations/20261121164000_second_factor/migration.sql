-- The second factor, enterprise mode, and what a log-in from a new device is told by.

ALTER TABLE users ADD COLUMN enterprise_mode boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN users.enterprise_mode IS 'Whether the stricter rules of enterprise mode hold for this person; they hold for everybody where the service runs in it.';

CREATE TABLE second_factors (
  user_id       text COLLATE "C" NOT NULL,
  secret        bytea NOT NULL,
  confirmed_at  timestamptz(3),
  pending_until timestamptz(3),
  last_step     bigint,
  wrong_codes   integer NOT NULL DEFAULT 0,
  CONSTRAINT second_factors_pkey PRIMARY KEY (user_id),
  CONSTRAINT second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT second_factors_pending_or_confirmed CHECK ((confirmed_at IS NULL) <> (pending_until IS NULL)),
  CONSTRAINT second_factors_confirmed_by_a_code CHECK ((confirmed_at IS NULL) = (last_step IS NULL)),
  CONSTRAINT second_factors_wrong_codes_not_negative CHECK (wrong_codes >= 0)
);
COMMENT ON TABLE second_factors IS 'Second factors by one-time passwords (TOTP, RFC 6238): at most one a person, asked for at log-in once it is confirmed.';
COMMENT ON COLUMN second_factors.user_id IS 'Whose.';
COMMENT ON COLUMN second_factors.secret IS 'The secret shared with the authenticator application, encrypted by the application.';
COMMENT ON COLUMN second_factors.confirmed_at IS 'When its first code was entered; until then it is asked for nowhere.';
COMMENT ON COLUMN second_factors.pending_until IS 'Until when it can be confirmed.';
COMMENT ON COLUMN second_factors.last_step IS 'Number of the 30 s step (since 1970) whose code was used last: a code of this or an earlier one is refused.';
COMMENT ON COLUMN second_factors.wrong_codes IS 'Wrong codes since the last right one; from a limit on a recovery code or a known device is needed.';

CREATE INDEX second_factors_pending_until_idx ON second_factors (pending_until) WHERE confirmed_at IS NULL;
COMMENT ON INDEX second_factors_pending_until_idx IS 'Serves: clean-up of secrets that nobody confirmed.';

CREATE TABLE recovery_codes (
  user_id   text COLLATE "C" NOT NULL,
  code_hash bytea NOT NULL,
  used_at   timestamptz(3),
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES second_factors (user_id) ON DELETE CASCADE
);
COMMENT ON TABLE recovery_codes IS 'Codes that stand for a second factor that was lost; each works once.';
COMMENT ON COLUMN recovery_codes.user_id IS 'Whose.';
COMMENT ON COLUMN recovery_codes.code_hash IS 'Keyed hash of person and code.';
COMMENT ON COLUMN recovery_codes.used_at IS 'When it was used.';

CREATE TABLE pending_logins (
  token_hash     bytea NOT NULL,
  user_id        text COLLATE "C" NOT NULL,
  password_state bytea NOT NULL,
  expires_at     timestamptz(3) NOT NULL,
  CONSTRAINT pending_logins_pkey PRIMARY KEY (token_hash),
  CONSTRAINT pending_logins_user_id_fkey FOREIGN KEY (user_id) REFERENCES second_factors (user_id) ON DELETE CASCADE
);
COMMENT ON TABLE pending_logins IS 'Log-ins whose first step was right and whose second factor is awaited; a row goes with the log-in that it becomes.';
COMMENT ON COLUMN pending_logins.token_hash IS 'Keyed hash of the token that the client holds meanwhile.';
COMMENT ON COLUMN pending_logins.user_id IS 'Who logs in.';
COMMENT ON COLUMN pending_logins.password_state IS 'Keyed hash of the stored password at the first step: a password changed since makes the row worthless.';
COMMENT ON COLUMN pending_logins.expires_at IS 'End of its five minutes.';
CREATE INDEX pending_logins_user_id_idx ON pending_logins (user_id);
COMMENT ON INDEX pending_logins_user_id_idx IS 'Serves: the deletion of a second factor.';
CREATE INDEX pending_logins_expires_at_idx ON pending_logins (expires_at);
COMMENT ON INDEX pending_logins_expires_at_idx IS 'Serves: clean-up.';

ALTER TABLE sessions ADD COLUMN network text;
UPDATE sessions SET network = regexp_replace(ip, '\.\d+$', '.0') WHERE ip ~ '^(\d+\.){3}\d+$';
COMMENT ON COLUMN sessions.network IS 'Address at log-in without the part that names one person (/24, /48): whether a network is new. Null for IPv6 log-ins from before there was this column.';
COMMENT ON COLUMN sessions.last_used_at IS 'Time of the last refresh; in enterprise mode of the last request, to the minute.';
CREATE INDEX sessions_network_idx ON sessions (user_id, network);
COMMENT ON INDEX sessions_network_idx IS 'Serves: whether a person logged in from a network before.';

ALTER TABLE login_delays ADD COLUMN consecutive integer NOT NULL DEFAULT 0;
ALTER TABLE login_delays ADD CONSTRAINT login_delays_consecutive_not_negative CHECK (consecutive >= 0);
COMMENT ON COLUMN login_delays.consecutive IS 'For an address: failures in a row of all its devices, which no wait makes forgotten. From a limit on only a known device or a new password opens the account.';
COMMENT ON COLUMN login_delays.failures IS 'Failures that the wait is made of; after a quiet day they count no more.';
