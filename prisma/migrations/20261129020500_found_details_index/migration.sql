-- Compatible with earlier versions: yes
CREATE INDEX qr_codes_found_at_idx ON qr_codes (found_at) WHERE found_at IS NOT NULL;

COMMENT ON INDEX qr_codes_found_at_idx IS 'Finds details that are a week old, to clear them.';
