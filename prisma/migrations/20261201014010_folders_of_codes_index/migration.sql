-- Compatible with earlier versions: yes
CREATE INDEX IF NOT EXISTS qr_codes_folder_idx ON qr_codes (account_id, folder_id, created_at DESC, id DESC) WHERE folder_id IS NOT NULL;
COMMENT ON INDEX qr_codes_folder_idx IS 'Serves: the codes of a folder, their number, and the check of the foreign key.';
