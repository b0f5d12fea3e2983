-- Encryption keys that change: when a key was promoted and retired, and which keys each running instance has.

ALTER TABLE encryption_keys
  ADD COLUMN promoted_at timestamptz(3),
  ADD COLUMN retired_at  timestamptz(3),
  ADD CONSTRAINT encryption_keys_id_shape CHECK (id ~ '^(pepper\.)?[a-z0-9]{1,16}$'),
  ADD CONSTRAINT encryption_keys_check_value_shape CHECK (check_value ~ '^[0-9a-f]{32}$');
COMMENT ON TABLE encryption_keys IS 'A check value for each key and pepper that ever served this database; a start with other keys is refused.';
COMMENT ON COLUMN encryption_keys.id IS 'Key id; of a pepper, its id after `pepper.`.';
COMMENT ON COLUMN encryption_keys.promoted_at IS 'When the key was first seen as the primary one; null where it never was.';
COMMENT ON COLUMN encryption_keys.retired_at IS 'When it was found that no row needs the key any more; it opens nothing since then. Null while it serves.';

CREATE TABLE key_holders (
  instance_id    text COLLATE "C" NOT NULL,
  key_ids        text[] NOT NULL,
  primary_key_id text COLLATE "C" NOT NULL,
  primary_since  timestamptz(3) NOT NULL DEFAULT now(),
  seen_at        timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT key_holders_pkey PRIMARY KEY (instance_id),
  CONSTRAINT key_holders_instance_id_shape CHECK (instance_id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT key_holders_has_its_primary_key CHECK (primary_key_id = ANY (key_ids))
);
COMMENT ON TABLE key_holders IS 'Which encryption keys each running instance has: a new key becomes primary once all have it, an old one is retired once none writes with it.';
COMMENT ON COLUMN key_holders.instance_id IS 'Id that the instance gave itself at its start.';
COMMENT ON COLUMN key_holders.key_ids IS 'Ids of the keys it can open with.';
COMMENT ON COLUMN key_holders.primary_key_id IS 'The key it writes with.';
COMMENT ON COLUMN key_holders.primary_since IS 'Since when it writes with that key.';
COMMENT ON COLUMN key_holders.seen_at IS 'When it last said so; an instance that has been silent for a while is gone.';

CREATE UNIQUE INDEX idempotency_keys_id_key ON idempotency_keys (id);
COMMENT ON INDEX idempotency_keys_id_key IS 'Serves: encrypting the answers anew in the order of their ids.';
