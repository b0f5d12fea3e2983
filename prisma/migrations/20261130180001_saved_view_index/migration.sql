-- Compatible with earlier versions: yes
CREATE INDEX saved_views_deleted_at_idx ON saved_views (deleted_at) WHERE deleted_at IS NOT NULL;
COMMENT ON INDEX saved_views_deleted_at_idx IS 'Serves: clean-up.';
