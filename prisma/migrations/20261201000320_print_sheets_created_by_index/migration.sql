-- Compatible with earlier versions: yes
CREATE INDEX IF NOT EXISTS print_sheets_created_by_idx ON print_sheets (created_by);
COMMENT ON INDEX print_sheets_created_by_idx IS 'Serves: the check of its foreign key when a user is deleted.';
