-- Compatible with earlier versions: yes
CREATE INDEX accounts_delete_after_idx ON accounts (delete_after) WHERE delete_after IS NOT NULL;
COMMENT ON INDEX accounts_delete_after_idx IS 'Serves: looking for organizations to erase.';
