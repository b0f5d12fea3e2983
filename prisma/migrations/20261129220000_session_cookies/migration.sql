-- Compatible with earlier versions: yes
ALTER TABLE sessions
  ADD COLUMN cookie_hash bytea CONSTRAINT sessions_cookie_hash_length CHECK (octet_length(cookie_hash) = 32);

COMMENT ON COLUMN sessions.cookie_hash IS 'Keyed hash of the secret in the cookie of a browser. Null for sessions with access and refresh tokens.';
COMMENT ON CONSTRAINT sessions_cookie_hash_length ON sessions IS 'Length of an HMAC-SHA-256.';
