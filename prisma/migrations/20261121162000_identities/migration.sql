-- Sign-in with an external identity provider.

CREATE TABLE user_identities (
  id           text COLLATE "C" NOT NULL,
  user_id      text COLLATE "C" NOT NULL,
  issuer       text COLLATE "C" NOT NULL,
  subject      text COLLATE "C" NOT NULL,
  email        text NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT user_identities_pkey PRIMARY KEY (id),
  CONSTRAINT user_identities_issuer_subject_key UNIQUE (issuer, subject),
  CONSTRAINT user_identities_user_id_issuer_key UNIQUE (user_id, issuer),
  CONSTRAINT user_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT user_identities_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT user_identities_issuer_bounded CHECK (length(issuer) BETWEEN 1 AND 2048),
  CONSTRAINT user_identities_subject_bounded CHECK (length(subject) BETWEEN 1 AND 255),
  CONSTRAINT user_identities_email_normalised CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254)
);
COMMENT ON TABLE user_identities IS 'Accounts at identity providers by which people log in. A person is found by issuer and subject, never by the address.';
COMMENT ON COLUMN user_identities.id IS 'Record id.';
COMMENT ON COLUMN user_identities.user_id IS 'Whose identity.';
COMMENT ON COLUMN user_identities.issuer IS 'Issuer of the ID tokens (OpenID Connect); "sandbox" is the stand-in of a machine without a provider.';
COMMENT ON COLUMN user_identities.subject IS 'The provider''s own name of the person; never given to somebody else.';
COMMENT ON COLUMN user_identities.email IS 'Address at the provider when it was linked, normalised: tells a person which account it is.';
COMMENT ON COLUMN user_identities.created_at IS 'When it was linked.';
COMMENT ON COLUMN user_identities.last_used_at IS 'When the provider last confirmed the person.';
COMMENT ON INDEX user_identities_pkey IS 'The record id.';
COMMENT ON INDEX user_identities_issuer_subject_key IS 'Serves: the person of an ID token. One account a subject.';
COMMENT ON INDEX user_identities_user_id_issuer_key IS 'Serves: a person''s identities, and the deletion of a person. One subject of an issuer a person, so that an address that a provider gave to somebody else opens nothing.';

CREATE TABLE sign_in_codes (
  id             text COLLATE "C" NOT NULL,
  identity_id    text COLLATE "C" NOT NULL,
  code_hash      bytea NOT NULL,
  code_challenge text,
  expires_at     timestamptz(3) NOT NULL,
  used_at        timestamptz(3),
  created_at     timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT sign_in_codes_pkey PRIMARY KEY (id),
  CONSTRAINT sign_in_codes_code_hash_key UNIQUE (code_hash),
  CONSTRAINT sign_in_codes_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES user_identities (id) ON DELETE CASCADE,
  CONSTRAINT sign_in_codes_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT sign_in_codes_code_hash_is_sha256 CHECK (length(code_hash) = 32),
  CONSTRAINT sign_in_codes_code_challenge_shape CHECK (code_challenge ~ '^[A-Za-z0-9_-]{43}$')
);
COMMENT ON TABLE sign_in_codes IS 'One-time codes that a sign-in hands to the front end, which changes them for tokens within a minute.';
COMMENT ON COLUMN sign_in_codes.id IS 'Record id.';
COMMENT ON COLUMN sign_in_codes.identity_id IS 'The identity that the provider confirmed.';
COMMENT ON COLUMN sign_in_codes.code_hash IS 'SHA-256 of the 256-bit code.';
COMMENT ON COLUMN sign_in_codes.code_challenge IS 'SHA-256 of the secret of the client that began (RFC 7636, S256), which it must show; null where a cookie bound the sign-in to the browser.';
COMMENT ON COLUMN sign_in_codes.expires_at IS 'End of its minute.';
COMMENT ON COLUMN sign_in_codes.used_at IS 'When it was used up.';
COMMENT ON COLUMN sign_in_codes.created_at IS 'When the row was made.';
COMMENT ON INDEX sign_in_codes_pkey IS 'The record id.';
COMMENT ON INDEX sign_in_codes_code_hash_key IS 'Serves: the exchange of a code.';
CREATE INDEX sign_in_codes_identity_id_idx ON sign_in_codes (identity_id);
COMMENT ON INDEX sign_in_codes_identity_id_idx IS 'Serves: the deletion of an identity.';
CREATE INDEX sign_in_codes_expires_at_idx ON sign_in_codes (expires_at);
COMMENT ON INDEX sign_in_codes_expires_at_idx IS 'Serves: clean-up.';

CREATE TABLE spent_sign_in_proofs (
  kind       text COLLATE "C" NOT NULL,
  proof_hash bytea NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT spent_sign_in_proofs_pkey PRIMARY KEY (kind, proof_hash),
  CONSTRAINT spent_sign_in_proofs_kind_known CHECK (kind IN ('STATE', 'ID_TOKEN')),
  CONSTRAINT spent_sign_in_proofs_proof_hash_is_sha256 CHECK (length(proof_hash) = 32)
);
COMMENT ON TABLE spent_sign_in_proofs IS 'What of a sign-in has been used and may not come again, on any instance, until it would have ended by itself.';
COMMENT ON COLUMN spent_sign_in_proofs.kind IS 'STATE (of a round trip through the provider) or ID_TOKEN (that a native application sent).';
COMMENT ON COLUMN spent_sign_in_proofs.proof_hash IS 'SHA-256 of the state or of what the ID token''s signature covers.';
COMMENT ON COLUMN spent_sign_in_proofs.expires_at IS 'When the proof ends by itself, so that this row may be forgotten.';
COMMENT ON INDEX spent_sign_in_proofs_pkey IS 'Serves: of parallel uses a single one succeeds.';
CREATE INDEX spent_sign_in_proofs_expires_at_idx ON spent_sign_in_proofs (expires_at);
COMMENT ON INDEX spent_sign_in_proofs_expires_at_idx IS 'Serves: clean-up.';
