-- Compatible with earlier versions: yes
CREATE INDEX IF NOT EXISTS documents_deleted_at_idx ON documents (deleted_at) WHERE deleted_at IS NOT NULL;
COMMENT ON INDEX documents_deleted_at_idx IS 'Serves: deleted documents whose time is over.';
