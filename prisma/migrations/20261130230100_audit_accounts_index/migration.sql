-- Compatible with earlier versions: yes
CREATE INDEX IF NOT EXISTS audit_entries_account_reference_idx ON audit_entries (account_reference, created_at DESC, id DESC) WHERE account_reference IS NOT NULL;
COMMENT ON INDEX audit_entries_account_reference_idx IS 'Serves: what was done for an account by others than its user, newest first, for auditors.';
