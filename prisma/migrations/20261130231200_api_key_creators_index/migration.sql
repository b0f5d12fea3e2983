-- Compatible with earlier versions: yes
CREATE INDEX api_keys_created_by_idx ON api_keys (created_by);
COMMENT ON INDEX api_keys_created_by_idx IS 'Serves: the keys that a member made, for the check of its foreign key, too.';
