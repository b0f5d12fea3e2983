-- Compatible with earlier versions: yes
CREATE INDEX IF NOT EXISTS invitations_email_hash_idx ON invitations (email_hash);
COMMENT ON INDEX invitations_email_hash_idx IS 'Serves: the invitations to an address, and the erasure of its user.';
CREATE INDEX IF NOT EXISTS invitations_invited_by_idx ON invitations (invited_by);
COMMENT ON INDEX invitations_invited_by_idx IS 'Serves: the deletion of a user.';
CREATE INDEX IF NOT EXISTS invitations_expires_at_idx ON invitations (expires_at);
COMMENT ON INDEX invitations_expires_at_idx IS 'Serves: clean-up.';
