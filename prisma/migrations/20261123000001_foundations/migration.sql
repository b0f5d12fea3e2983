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
COMMENT ON FUNCTION is_erased(text) IS 'Whether an account was erased; none is until the end of the transaction that asks.';

CREATE FUNCTION refuse_for_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_erased(to_jsonb(NEW) ->> TG_ARGV[0]) THEN
    RAISE EXCEPTION 'the account was erased' USING ERRCODE = 'QR410';
  END IF;
  RETURN NEW;
END
$$;
COMMENT ON FUNCTION refuse_for_erased() IS 'Refuses a row of an account that was erased while its request was under way.';

CREATE FUNCTION skip_for_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_erased(NEW.user_id) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END
$$;
COMMENT ON FUNCTION skip_for_erased() IS 'Leaves out a row for an account that was erased: there is nobody to tell.';

-- ---------------------------------------------------------------------------------------------
-- Attempts and rates
-- ---------------------------------------------------------------------------------------------

CREATE TABLE attempt_budgets (
  key             text COLLATE "C" NOT NULL,
  used            integer NOT NULL,
  window_ends_at  timestamptz(3) NOT NULL,
  under_way       integer NOT NULL DEFAULT 0,
  under_way_until timestamptz(3),
  CONSTRAINT attempt_budgets_pkey PRIMARY KEY (key),
  CONSTRAINT attempt_budgets_used_not_negative CHECK (used >= 0),
  CONSTRAINT attempt_budgets_under_way_not_negative CHECK (under_way >= 0)
);
COMMENT ON TABLE attempt_budgets IS 'Tries used against an account, an address, a code or a PIN within a window. A try is reserved before anything is compared.';
COMMENT ON COLUMN attempt_budgets.key IS 'Name of the budget and keyed hash of what it guards.';
COMMENT ON COLUMN attempt_budgets.used IS 'Tries used in the window.';
COMMENT ON COLUMN attempt_budgets.window_ends_at IS 'When the budget is whole again.';
COMMENT ON COLUMN attempt_budgets.under_way IS 'Of the used tries those whose compare has not ended: they may be given back in a moment. Kept for PINs; it decides how long somebody is told to wait, never whether they may try.';
COMMENT ON COLUMN attempt_budgets.under_way_until IS 'From when on under_way says nothing: a compare takes less, so its process has died.';
CREATE INDEX attempt_budgets_window_ends_at_idx ON attempt_budgets (window_ends_at);
COMMENT ON INDEX attempt_budgets_window_ends_at_idx IS 'Serves: clean-up of budgets that are whole again.';

CREATE TABLE login_delays (
  key             text COLLATE "C" NOT NULL,
  failures        integer NOT NULL,
  consecutive     integer NOT NULL DEFAULT 0,
  next_allowed_at timestamptz(3) NOT NULL,
  CONSTRAINT login_delays_pkey PRIMARY KEY (key),
  CONSTRAINT login_delays_failures_not_negative CHECK (failures >= 0),
  CONSTRAINT login_delays_consecutive_not_negative CHECK (consecutive >= 0)
);
COMMENT ON TABLE login_delays IS 'Log-ins that failed in a row, per address or per known device, and when the next may be tried.';
COMMENT ON COLUMN login_delays.key IS 'Keyed hash of the address or of the device.';
COMMENT ON COLUMN login_delays.failures IS 'Failures that the wait is made of; after a quiet day they count no more.';
COMMENT ON COLUMN login_delays.consecutive IS 'For an address: failures in a row of all its devices, which no wait makes forgotten. From a limit on only a known device or a new password opens the account.';
COMMENT ON COLUMN login_delays.next_allowed_at IS 'Earliest time of the next try.';
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
  who        text COLLATE "C" NOT NULL,
  operation  text COLLATE "C" NOT NULL,
  key_hash   bytea NOT NULL,
  body_hash  bytea NOT NULL,
  id         text COLLATE "C" NOT NULL,
  status     integer,
  response   bytea,
  content_of text COLLATE "C",
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (who, operation, key_hash),
  CONSTRAINT idempotency_keys_answer_is_whole CHECK ((status IS NULL) = (response IS NULL)),
  CONSTRAINT idempotency_keys_id_shape CHECK (id ~ '^[0-9a-f]{24}$')
);
COMMENT ON TABLE idempotency_keys IS 'First answers to creating requests that carried an Idempotency-Key, for 24 hours.';
COMMENT ON COLUMN idempotency_keys.who IS 'The account, or a keyed hash of code and visitor for the public.';
COMMENT ON COLUMN idempotency_keys.operation IS 'The operation, as audit_entries calls it.';
COMMENT ON COLUMN idempotency_keys.key_hash IS 'Keyed hash of the key.';
COMMENT ON COLUMN idempotency_keys.body_hash IS 'Keyed hash of the request''s body.';
COMMENT ON COLUMN idempotency_keys.id IS 'Record id, bound into the encryption of the response.';
COMMENT ON COLUMN idempotency_keys.status IS 'HTTP status of the first answer.';
COMMENT ON COLUMN idempotency_keys.response IS 'The first answer, encrypted.';
COMMENT ON COLUMN idempotency_keys.content_of IS 'The account whose content the response shows, where it is another than who: a scan shows what an owner allows.';
COMMENT ON COLUMN idempotency_keys.expires_at IS 'When it is forgotten.';
COMMENT ON CONSTRAINT idempotency_keys_answer_is_whole ON idempotency_keys IS 'A stored answer has a status and a body, or neither.';
CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at);
COMMENT ON INDEX idempotency_keys_expires_at_idx IS 'Serves: clean-up.';
CREATE UNIQUE INDEX idempotency_keys_id_key ON idempotency_keys (id);
COMMENT ON INDEX idempotency_keys_id_key IS 'Serves: encrypting the answers anew in the order of their ids.';
CREATE INDEX idempotency_keys_content_of_idx ON idempotency_keys (content_of) WHERE content_of IS NOT NULL;
COMMENT ON INDEX idempotency_keys_content_of_idx IS 'Serves: the erasure of an account.';
CREATE TRIGGER idempotency_keys_of_living BEFORE INSERT ON idempotency_keys
  FOR EACH ROW WHEN (length(NEW.who) = 24) EXECUTE FUNCTION refuse_for_erased('who');
COMMENT ON TRIGGER idempotency_keys_of_living ON idempotency_keys IS 'The answer to a request that an erasure overtook is not kept.';

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

CREATE TABLE key_holders (
  instance_id        text COLLATE "C" NOT NULL,
  key_ids            text[] NOT NULL,
  primary_key_id     text COLLATE "C" NOT NULL,
  primary_since      timestamptz(3) NOT NULL DEFAULT now(),
  enterprise_for_all boolean NOT NULL DEFAULT false,
  seen_at            timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT key_holders_pkey PRIMARY KEY (instance_id),
  CONSTRAINT key_holders_instance_id_shape CHECK (instance_id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT key_holders_has_its_primary_key CHECK (primary_key_id = ANY (key_ids))
);
COMMENT ON TABLE key_holders IS 'Which encryption keys each running instance has: a new key becomes primary once all have it, an old one is retired once none writes with it.';
COMMENT ON COLUMN key_holders.instance_id IS 'Id that the instance gave itself at its start.';
COMMENT ON COLUMN key_holders.key_ids IS 'Ids of the keys it can open with.';
COMMENT ON COLUMN key_holders.primary_key_id IS 'The key it writes with.';
COMMENT ON COLUMN key_holders.primary_since IS 'Since when it writes with that key.';
COMMENT ON COLUMN key_holders.enterprise_for_all IS 'Whether it holds every account to the rules of enterprise mode (ENTERPRISE_MODE).';
COMMENT ON COLUMN key_holders.seen_at IS 'When it last said so; an instance that has been silent for a while is gone.';
COMMENT ON CONSTRAINT key_holders_instance_id_shape ON key_holders IS '24 hexadecimal digits of chance.';
COMMENT ON CONSTRAINT key_holders_has_its_primary_key ON key_holders IS 'An instance holds the key that it encrypts with.';
