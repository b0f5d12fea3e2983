-- What all areas use: extensions, guards against rows of erased accounts, attempts and rates, idempotency, encryption keys.
-- Ids are text of 24 hexadecimal digits in the "C" collation: their order is the order of creation, to the second.
-- A constraint without a comment below its table gets one in the migration catalogue_comments.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- ---------------------------------------------------------------------------------------------
-- Erased accounts
-- ---------------------------------------------------------------------------------------------

CREATE FUNCTION is_erased(account text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  found_status text;
BEGIN
  -- Locked as a foreign key would: an erasure under way is waited for, and one that comes now waits for us.
  SELECT status INTO found_status FROM users WHERE id = account FOR KEY SHARE;
  RETURN coalesce(found_status = 'DELETED', false);
END
$$;
COMMENT ON FUNCTION is_erased(text) IS 'Whether an account was erased. It locks the account against erasure until the end of the transaction.';

CREATE FUNCTION reject_erased_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_erased(to_jsonb(NEW) ->> TG_ARGV[0]) THEN
    RAISE EXCEPTION 'the account was erased' USING ERRCODE = 'QR410';
  END IF;
  RETURN NEW;
END
$$;
COMMENT ON FUNCTION reject_erased_account() IS 'Rejects a row of an account that was erased during the request.';

CREATE FUNCTION skip_erased_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_erased(NEW.user_id) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END
$$;
COMMENT ON FUNCTION skip_erased_account() IS 'Skips a row of an account that was erased.';

-- ---------------------------------------------------------------------------------------------
-- Attempts and rates
-- ---------------------------------------------------------------------------------------------

CREATE TABLE attempt_budgets (
  key             text COLLATE "C" NOT NULL,
  used            integer NOT NULL,
  window_ends_at  timestamptz(3) NOT NULL,
  in_flight       integer NOT NULL DEFAULT 0,
  in_flight_until timestamptz(3),
  CONSTRAINT attempt_budgets_pkey PRIMARY KEY (key),
  CONSTRAINT attempt_budgets_used_not_negative CHECK (used >= 0),
  CONSTRAINT attempt_budgets_in_flight_not_negative CHECK (in_flight >= 0)
);
COMMENT ON TABLE attempt_budgets IS 'Attempts used against an account, an address, a code or a PIN within a time window. An attempt is consumed before anything is compared.';
COMMENT ON COLUMN attempt_budgets.key IS 'Name of the limit and keyed hash of what it protects.';
COMMENT ON COLUMN attempt_budgets.used IS 'Attempts used in the window.';
COMMENT ON COLUMN attempt_budgets.window_ends_at IS 'When the window ends and the counter starts again.';
COMMENT ON COLUMN attempt_budgets.in_flight IS 'Used attempts whose comparison has not finished and that may still be refunded. Set for PINs only. It affects the reported waiting time, never whether an attempt is allowed.';
COMMENT ON COLUMN attempt_budgets.in_flight_until IS 'When in_flight is no longer valid: a comparison takes less time, so its process has died.';
CREATE INDEX attempt_budgets_window_ends_at_idx ON attempt_budgets (window_ends_at);
COMMENT ON INDEX attempt_budgets_window_ends_at_idx IS 'Serves: deletion of expired counters.';

CREATE TABLE login_delays (
  key                  text COLLATE "C" NOT NULL,
  failures             integer NOT NULL,
  consecutive_failures integer NOT NULL DEFAULT 0,
  next_allowed_at      timestamptz(3) NOT NULL,
  CONSTRAINT login_delays_pkey PRIMARY KEY (key),
  CONSTRAINT login_delays_failures_not_negative CHECK (failures >= 0),
  CONSTRAINT login_delays_consecutive_failures_not_negative CHECK (consecutive_failures >= 0)
);
COMMENT ON TABLE login_delays IS 'Failed log-ins per address or per known device, and when the next attempt is allowed.';
COMMENT ON COLUMN login_delays.key IS 'Keyed hash of the address or of the device.';
COMMENT ON COLUMN login_delays.failures IS 'Failures that determine the delay; reset after a day without failures.';
COMMENT ON COLUMN login_delays.consecutive_failures IS 'For an address: consecutive failures from all devices; never reset by waiting. At a limit only a known device or a new password can log in.';
COMMENT ON COLUMN login_delays.next_allowed_at IS 'Earliest time of the next attempt.';
CREATE INDEX login_delays_next_allowed_at_idx ON login_delays (next_allowed_at);
COMMENT ON INDEX login_delays_next_allowed_at_idx IS 'Serves: clean-up of delays long over.';

CREATE UNLOGGED TABLE rate_counters (
  key            text COLLATE "C" NOT NULL,
  hits           integer NOT NULL,
  window_ends_at timestamptz(3) NOT NULL,
  CONSTRAINT rate_counters_pkey PRIMARY KEY (key)
);
COMMENT ON TABLE rate_counters IS 'Requests of all instances by class and address; each instance folds its own in at most every half second. Not logged: empty after a crash, which only makes limits generous for a minute.';
COMMENT ON COLUMN rate_counters.key IS 'Route class and keyed address.';
COMMENT ON COLUMN rate_counters.hits IS 'Requests in the window.';
COMMENT ON COLUMN rate_counters.window_ends_at IS 'End of the window.';

-- ---------------------------------------------------------------------------------------------
-- Idempotency
-- ---------------------------------------------------------------------------------------------

CREATE TABLE idempotency_keys (
  requester        text COLLATE "C" NOT NULL,
  operation        text COLLATE "C" NOT NULL,
  key_hash         bytea NOT NULL,
  body_hash        bytea NOT NULL,
  id               text COLLATE "C" NOT NULL,
  status           integer,
  response         bytea,
  content_owner_id text COLLATE "C",
  expires_at       timestamptz(3) NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (requester, operation, key_hash),
  CONSTRAINT idempotency_keys_response_complete CHECK ((status IS NULL) = (response IS NULL)),
  CONSTRAINT idempotency_keys_id_shape CHECK (id ~ '^[0-9a-f]{24}$')
);
COMMENT ON TABLE idempotency_keys IS 'Stored responses of requests with an Idempotency-Key, replayed for 24 hours.';
COMMENT ON COLUMN idempotency_keys.requester IS 'Id of the account, or for a public request a keyed hash of code and visitor.';
COMMENT ON COLUMN idempotency_keys.operation IS 'The operation, as audit_entries calls it.';
COMMENT ON COLUMN idempotency_keys.key_hash IS 'Keyed hash of the key.';
COMMENT ON COLUMN idempotency_keys.body_hash IS 'Keyed hash of the request''s body.';
COMMENT ON COLUMN idempotency_keys.id IS 'Record id, bound into the encryption of the response.';
COMMENT ON COLUMN idempotency_keys.status IS 'HTTP status of the stored response.';
COMMENT ON COLUMN idempotency_keys.response IS 'The stored response, encrypted.';
COMMENT ON COLUMN idempotency_keys.content_owner_id IS 'The account whose content the response contains, if it is not the requester: a scan shows what an owner allows.';
COMMENT ON COLUMN idempotency_keys.expires_at IS 'When the row is deleted.';
COMMENT ON CONSTRAINT idempotency_keys_response_complete ON idempotency_keys IS 'A stored response has a status and a body, or neither.';
CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at);
COMMENT ON INDEX idempotency_keys_expires_at_idx IS 'Serves: clean-up.';
CREATE UNIQUE INDEX idempotency_keys_id_key ON idempotency_keys (id);
COMMENT ON INDEX idempotency_keys_id_key IS 'Serves: re-encryption in the order of ids.';
CREATE INDEX idempotency_keys_content_owner_id_idx ON idempotency_keys (content_owner_id) WHERE content_owner_id IS NOT NULL;
COMMENT ON INDEX idempotency_keys_content_owner_id_idx IS 'Serves: the erasure of an account.';
CREATE TRIGGER idempotency_keys_erasure_guard BEFORE INSERT ON idempotency_keys
  FOR EACH ROW WHEN (length(NEW.requester) = 24) EXECUTE FUNCTION reject_erased_account('requester');
COMMENT ON TRIGGER idempotency_keys_erasure_guard ON idempotency_keys IS 'No response is stored for an account that was erased during the request.';

-- ---------------------------------------------------------------------------------------------
-- Encryption keys
-- ---------------------------------------------------------------------------------------------

CREATE TABLE encryption_keys (
  id          text COLLATE "C" NOT NULL,
  check_value text NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  promoted_at timestamptz(3),
  retired_at  timestamptz(3),
  CONSTRAINT encryption_keys_pkey PRIMARY KEY (id),
  CONSTRAINT encryption_keys_id_shape CHECK (id ~ '^(pepper\.)?[a-z0-9]{1,16}$'),
  CONSTRAINT encryption_keys_check_value_shape CHECK (check_value ~ '^[0-9a-f]{32}$')
);
COMMENT ON TABLE encryption_keys IS 'A check value for each key and pepper that ever served this database; a start with other keys is refused.';
COMMENT ON COLUMN encryption_keys.id IS 'Key id; of a pepper, its id after `pepper.`.';
COMMENT ON COLUMN encryption_keys.check_value IS 'Keyed hash of a constant under the key; says nothing about it.';
COMMENT ON COLUMN encryption_keys.created_at IS 'When the key was first seen.';
COMMENT ON COLUMN encryption_keys.promoted_at IS 'When the key was first seen as the primary one; null where it never was.';
COMMENT ON COLUMN encryption_keys.retired_at IS 'When it was found that no row needs the key any more; it opens nothing since then. Null while it serves.';
COMMENT ON CONSTRAINT encryption_keys_id_shape ON encryption_keys IS 'Up to 16 small letters and digits; a pepper''s begins with pepper.';
COMMENT ON CONSTRAINT encryption_keys_check_value_shape ON encryption_keys IS '32 hexadecimal digits.';

CREATE TABLE instances (
  id                       text COLLATE "C" NOT NULL,
  key_ids                  text[] NOT NULL,
  primary_key_id           text COLLATE "C" NOT NULL,
  primary_since            timestamptz(3) NOT NULL DEFAULT now(),
  enterprise_mode_enforced boolean NOT NULL DEFAULT false,
  last_heartbeat_at        timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT instances_pkey PRIMARY KEY (id),
  CONSTRAINT instances_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT instances_has_primary_key CHECK (primary_key_id = ANY (key_ids))
);
COMMENT ON TABLE instances IS 'Running instances and their encryption keys. A new key becomes primary once every instance has it; an old key is retired once no instance encrypts with it.';
COMMENT ON COLUMN instances.id IS 'Id that the instance generates when it starts.';
COMMENT ON COLUMN instances.key_ids IS 'Ids of the keys that the instance can decrypt with.';
COMMENT ON COLUMN instances.primary_key_id IS 'Id of the key that the instance encrypts with.';
COMMENT ON COLUMN instances.primary_since IS 'When the instance began to encrypt with that key.';
COMMENT ON COLUMN instances.enterprise_mode_enforced IS 'Whether the instance enforces enterprise mode for every account (ENTERPRISE_MODE).';
COMMENT ON COLUMN instances.last_heartbeat_at IS 'Time of the last heartbeat. An instance without a recent heartbeat has stopped.';
COMMENT ON CONSTRAINT instances_id_shape ON instances IS '24 random hexadecimal digits.';
COMMENT ON CONSTRAINT instances_has_primary_key ON instances IS 'An instance has the key that it encrypts with.';
