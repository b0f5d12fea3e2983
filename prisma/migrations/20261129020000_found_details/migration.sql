-- Compatible with earlier versions: yes
ALTER TABLE qr_codes ADD COLUMN found_details bytea, ADD COLUMN found_at timestamptz(3);

COMMENT ON COLUMN qr_codes.found_details IS 'What lost_details said before the code was marked as found, to undo it within a week; encrypted.';
COMMENT ON COLUMN qr_codes.found_at IS 'When found_details were stored.';
