-- Compatible with earlier versions: yes
CREATE INDEX IF NOT EXISTS test_links_user_id_idx ON test_links (user_id);
COMMENT ON INDEX test_links_user_id_idx IS 'Serves: the erasure of a user.';
