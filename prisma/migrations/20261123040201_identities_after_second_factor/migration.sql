-- An identity is linked when the log-in is complete, second factor included.
ALTER TABLE user_identities ADD COLUMN confirmed_at timestamptz(3) DEFAULT now();
COMMENT ON COLUMN user_identities.confirmed_at IS 'When the log-in that linked it was complete, second factor included. Null until then: it is no way to log in.';

ALTER TABLE pending_logins
  ADD COLUMN identity_id text COLLATE "C",
  ADD CONSTRAINT pending_logins_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES user_identities (id) ON DELETE CASCADE;
COMMENT ON COLUMN pending_logins.identity_id IS 'Identity that is linked when the log-in is complete. Null for a log-in with the password.';
CREATE INDEX pending_logins_identity_id_idx ON pending_logins (identity_id);
COMMENT ON INDEX pending_logins_identity_id_idx IS 'Serves: the deletion of an identity.';
COMMENT ON CONSTRAINT pending_logins_identity_id_fkey ON pending_logins IS 'identity_id is a row of user_identities, and this one is deleted with it.';
