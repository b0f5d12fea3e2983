-- Compatible with earlier versions: yes
CREATE INDEX owner_phones_account_id_idx ON owner_phones (account_id, created_at DESC, id DESC);
COMMENT ON INDEX owner_phones_account_id_idx IS 'Serves: the phones of an account, the one marked last first.';
CREATE INDEX owner_phones_expires_at_idx ON owner_phones (expires_at);
COMMENT ON INDEX owner_phones_expires_at_idx IS 'Serves: clean-up.';
