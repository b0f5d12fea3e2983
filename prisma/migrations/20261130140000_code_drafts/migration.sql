-- Compatible with earlier versions: yes
CREATE TABLE code_drafts (
  id          text COLLATE "C" NOT NULL,
  secret_hash bytea NOT NULL,
  kind        text NOT NULL,
  content     bytea NOT NULL,
  expires_at  timestamptz(3) NOT NULL,
  CONSTRAINT code_drafts_pkey PRIMARY KEY (id),
  CONSTRAINT code_drafts_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT code_drafts_secret_hash_length CHECK (octet_length(secret_hash) = 32),
  CONSTRAINT code_drafts_content_bounded CHECK (octet_length(content) <= 70000)
);
COMMENT ON TABLE code_drafts IS 'Codes that somebody without an account fills in, one for a browser. The account that signs in there makes the code of it.';
COMMENT ON COLUMN code_drafts.id IS 'Record id.';
COMMENT ON COLUMN code_drafts.secret_hash IS 'Keyed hash of the secret in the cookie of the browser.';
COMMENT ON COLUMN code_drafts.kind IS 'Kind of the code.';
COMMENT ON COLUMN code_drafts.content IS 'Values of the form, encrypted.';
COMMENT ON COLUMN code_drafts.expires_at IS 'End of its 24 hours.';
COMMENT ON CONSTRAINT code_drafts_pkey ON code_drafts IS 'One row a record id.';
COMMENT ON CONSTRAINT code_drafts_id_shape ON code_drafts IS '24 lower-case hexadecimal digits.';
COMMENT ON CONSTRAINT code_drafts_secret_hash_length ON code_drafts IS 'Length of an HMAC-SHA-256.';
COMMENT ON CONSTRAINT code_drafts_content_bounded ON code_drafts IS 'Drafts of strangers stay small.';
CREATE UNIQUE INDEX code_drafts_secret_hash_key ON code_drafts (secret_hash);
COMMENT ON INDEX code_drafts_secret_hash_key IS 'Serves: the draft of a browser.';
CREATE INDEX code_drafts_expires_at_idx ON code_drafts (expires_at);
COMMENT ON INDEX code_drafts_expires_at_idx IS 'Serves: deleting expired drafts.';
