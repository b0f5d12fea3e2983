-- Compatible with earlier versions: yes
CREATE INDEX IF NOT EXISTS qr_codes_updated_at_idx ON qr_codes (owner_id, updated_at, id);
COMMENT ON INDEX qr_codes_updated_at_idx IS 'Serves: an owner''s codes that were changed or deleted since a time; by their last change.';
