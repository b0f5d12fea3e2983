-- Every foreign key has an index, so that deleting what it references reads no whole table.
CREATE INDEX subscriptions_version_idx ON subscriptions (package_id, package_version);
COMMENT ON INDEX subscriptions_version_idx IS 'Serves: the subscriptions of a package version, and its deletion.';
CREATE INDEX checkout_sessions_version_idx ON checkout_sessions (package_id, package_version);
COMMENT ON INDEX checkout_sessions_version_idx IS 'Serves: the deletion of a package version.';
CREATE INDEX payment_prices_version_idx ON payment_prices (package_id, version);
COMMENT ON INDEX payment_prices_version_idx IS 'Serves: the deletion of a package version.';

CREATE INDEX stored_files_owner_idx ON stored_files (owner_id);
COMMENT ON INDEX stored_files_owner_idx IS 'Serves: the deletion of a user, with files in every state.';
DROP INDEX document_shares_qr_code_id_idx;
CREATE INDEX document_shares_qr_code_id_idx ON document_shares (qr_code_id) WHERE qr_code_id IS NOT NULL;
COMMENT ON INDEX document_shares_qr_code_id_idx IS 'Serves: what the page of a code offers, and the deletion of a code.';

-- Rows live for seconds: without a pause of the vacuum the table keeps the size of its busiest minutes.
ALTER TABLE scan_dirty_buckets SET (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0);
-- Every row is updated once its channels are decided on, and again when it is read.
ALTER TABLE notifications SET (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
