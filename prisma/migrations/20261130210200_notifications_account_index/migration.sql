-- Compatible with earlier versions: yes
CREATE INDEX IF NOT EXISTS notifications_account_id_idx ON notifications (account_id);
COMMENT ON INDEX notifications_account_id_idx IS 'Serves: the deletion of an account.';
