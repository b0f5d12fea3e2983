-- Compatible with earlier versions: yes
ALTER TABLE qr_codes ADD COLUMN found_details bytea;
CREATE INDEX qr_codes_found_details_idx ON qr_codes (updated_at) WHERE found_details IS NOT NULL;

COMMENT ON COLUMN qr_codes.found_details IS 'What lost_details said before the code was marked as found, to undo it within a week; encrypted.';
COMMENT ON INDEX qr_codes_found_details_idx IS 'Finds details that are a week old, to clear them.';
