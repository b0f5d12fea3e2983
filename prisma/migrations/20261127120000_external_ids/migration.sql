ALTER TABLE qr_codes
  ADD COLUMN external_id text COLLATE "C",
  ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}',
  ADD CONSTRAINT qr_codes_external_id_shape CHECK (external_id ~ '^[!-~]{1,100}$'),
  ADD CONSTRAINT qr_codes_metadata_bounded CHECK (jsonb_typeof(metadata) = 'object' AND length(metadata::text) <= 60000);
COMMENT ON COLUMN qr_codes.external_id IS 'The id that the owner''s own systems give it; unique among the owner''s codes that are not deleted.';
COMMENT ON COLUMN qr_codes.metadata IS 'Up to 50 pairs of strings of the owner''s own; searchable, not secret.';
CREATE UNIQUE INDEX qr_codes_external_id_key ON qr_codes (owner_id, external_id) WHERE external_id IS NOT NULL AND status <> 'DELETED';
COMMENT ON INDEX qr_codes_external_id_key IS 'An external id names one code of an owner. Serves: a code by its external id.';
CREATE INDEX qr_codes_metadata_idx ON qr_codes USING gin (owner_id, metadata jsonb_path_ops) WHERE metadata <> '{}' AND status <> 'DELETED';
COMMENT ON INDEX qr_codes_metadata_idx IS 'Serves: an owner''s codes with a pair of metadata.';
COMMENT ON CONSTRAINT qr_codes_external_id_shape ON qr_codes IS 'Visible ASCII characters, 100 at the most.';
COMMENT ON CONSTRAINT qr_codes_metadata_bounded ON qr_codes IS 'An object; the application knows its limits.';
