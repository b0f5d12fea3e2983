-- Compatible with earlier versions: yes
CREATE INDEX IF NOT EXISTS qr_codes_title_idx ON qr_codes (owner_id, search_text, id) WHERE status <> 'DELETED';
COMMENT ON INDEX qr_codes_title_idx IS 'Serves: an owner''s codes by title.';
