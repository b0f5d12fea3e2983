-- Compatible with earlier versions: yes
CREATE TABLE api_keys (
  id                  text COLLATE "C" NOT NULL,
  user_id             text COLLATE "C" NOT NULL,
  name                text NOT NULL,
  token_prefix        text NOT NULL,
  token_hash          bytea NOT NULL,
  is_token_used       boolean NOT NULL DEFAULT false,
  previous_token_hash bytea,
  previous_expires_at timestamptz(3),
  scopes              text[] NOT NULL,
  allowed_networks    inet[] NOT NULL DEFAULT '{}',
  expires_at          timestamptz(3),
  last_used_at        timestamptz(3),
  rotated_at          timestamptz(3),
  revoked_at          timestamptz(3),
  created_at          timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT api_keys_token_hash_key UNIQUE (token_hash),
  CONSTRAINT api_keys_previous_token_hash_key UNIQUE (previous_token_hash),
  CONSTRAINT api_keys_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT api_keys_name_length CHECK (length(name) BETWEEN 1 AND 100),
  CONSTRAINT api_keys_token_hash_length CHECK (octet_length(token_hash) = 32),
  CONSTRAINT api_keys_previous_token_hash_length CHECK (octet_length(previous_token_hash) = 32),
  CONSTRAINT api_keys_previous_token_complete CHECK ((previous_token_hash IS NULL) = (previous_expires_at IS NULL)),
  CONSTRAINT api_keys_scopes_present CHECK (cardinality(scopes) > 0),
  CONSTRAINT api_keys_allowed_networks_bounded CHECK (cardinality(allowed_networks) <= 20)
);
COMMENT ON TABLE api_keys IS 'API keys: credentials of programs that act for a user. Only hashes of their tokens are stored.';
COMMENT ON COLUMN api_keys.id IS 'Record id; the audit trail names the key by it.';
COMMENT ON COLUMN api_keys.user_id IS 'The user that the key acts for.';
COMMENT ON COLUMN api_keys.name IS 'What the user calls it.';
COMMENT ON COLUMN api_keys.token_prefix IS 'First characters of the token, to recognize it.';
COMMENT ON COLUMN api_keys.token_hash IS 'Keyed hash of the token.';
COMMENT ON COLUMN api_keys.is_token_used IS 'Whether the token was ever used. A rotation replaces one that was not, and keeps the token before it.';
COMMENT ON COLUMN api_keys.previous_token_hash IS 'Keyed hash of the token that was used before the last rotation; null if there was none.';
COMMENT ON COLUMN api_keys.previous_expires_at IS 'Until when that token still works; null if there was none.';
COMMENT ON COLUMN api_keys.scopes IS 'What the key may do, such as qr-codes:read; docs/reference/permissions.md has the list.';
COMMENT ON COLUMN api_keys.allowed_networks IS 'Networks that it may be used from; empty for all.';
COMMENT ON COLUMN api_keys.expires_at IS 'When it stops working; null for never.';
COMMENT ON COLUMN api_keys.last_used_at IS 'When it was last used, to the minute; null if never.';
COMMENT ON COLUMN api_keys.rotated_at IS 'When it last got another token; null if never.';
COMMENT ON COLUMN api_keys.revoked_at IS 'When the user revoked it; null while it is not revoked.';
COMMENT ON COLUMN api_keys.created_at IS 'When it was created.';
COMMENT ON CONSTRAINT api_keys_pkey ON api_keys IS 'One row per key.';
COMMENT ON CONSTRAINT api_keys_user_id_fkey ON api_keys IS 'Deleted with the user.';
COMMENT ON CONSTRAINT api_keys_token_hash_key ON api_keys IS 'Serves: the key of a request.';
COMMENT ON CONSTRAINT api_keys_previous_token_hash_key ON api_keys IS 'Serves: the key of a request with the token before a rotation.';
COMMENT ON CONSTRAINT api_keys_id_shape ON api_keys IS '24 hexadecimal digits.';
COMMENT ON CONSTRAINT api_keys_name_length ON api_keys IS 'At most 100 characters.';
COMMENT ON CONSTRAINT api_keys_token_hash_length ON api_keys IS '32 bytes.';
COMMENT ON CONSTRAINT api_keys_previous_token_hash_length ON api_keys IS '32 bytes.';
COMMENT ON CONSTRAINT api_keys_previous_token_complete ON api_keys IS 'A token before a rotation has an end.';
COMMENT ON CONSTRAINT api_keys_scopes_present ON api_keys IS 'A key without a scope could do nothing.';
COMMENT ON CONSTRAINT api_keys_allowed_networks_bounded ON api_keys IS 'Each request compares all of them.';
CREATE INDEX api_keys_user_id_idx ON api_keys (user_id, created_at DESC, id DESC);
COMMENT ON INDEX api_keys_user_id_idx IS 'Serves: the keys of a user, newest first.';
CREATE TRIGGER api_keys_erasure_guard BEFORE INSERT ON api_keys
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('user_id');
COMMENT ON TRIGGER api_keys_erasure_guard ON api_keys IS 'No key is stored for an erased account.';
