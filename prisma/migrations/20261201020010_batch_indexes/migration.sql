-- Compatible with earlier versions: yes
CREATE INDEX IF NOT EXISTS batches_account_id_idx ON batches (account_id, created_at DESC, id DESC);
COMMENT ON INDEX batches_account_id_idx IS 'Serves: the batches of an account, newest first.';
CREATE INDEX IF NOT EXISTS batches_open_idx ON batches (id) WHERE finished_at IS NULL OR deleted_at IS NOT NULL;
COMMENT ON INDEX batches_open_idx IS 'Serves: the search for batches whose job was lost.';
CREATE INDEX IF NOT EXISTS batch_tags_claimed_at_idx ON batch_tags (claimed_at) WHERE claimed_at IS NOT NULL AND claim_code IS NOT NULL;
COMMENT ON INDEX batch_tags_claimed_at_idx IS 'Serves: clean-up of claim codes that are no longer needed.';
CREATE INDEX IF NOT EXISTS batches_created_by_idx ON batches (created_by);
COMMENT ON INDEX batches_created_by_idx IS 'Serves: the deletion of a user.';
