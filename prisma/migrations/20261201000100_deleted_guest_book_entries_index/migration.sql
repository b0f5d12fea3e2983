-- Compatible with earlier versions: yes
CREATE INDEX IF NOT EXISTS guest_book_entries_deleted_at_idx ON guest_book_entries (deleted_at) WHERE deleted_at IS NOT NULL;
COMMENT ON INDEX guest_book_entries_deleted_at_idx IS 'Serves: deleted entries whose time is over.';
