-- Compatible with earlier versions: yes
CREATE INDEX IF NOT EXISTS imports_created_by_idx ON imports (created_by);
COMMENT ON INDEX imports_created_by_idx IS 'Serves: the check of its foreign key when a user is deleted.';
