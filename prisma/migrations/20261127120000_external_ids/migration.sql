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

ALTER TABLE documents
  ADD COLUMN external_id text COLLATE "C",
  ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}',
  ADD CONSTRAINT documents_external_id_shape CHECK (external_id ~ '^[!-~]{1,100}$'),
  ADD CONSTRAINT documents_metadata_bounded CHECK (jsonb_typeof(metadata) = 'object' AND length(metadata::text) <= 60000);
COMMENT ON COLUMN documents.external_id IS 'The id that the owner''s own systems give it; unique among the owner''s documents.';
COMMENT ON COLUMN documents.metadata IS 'Up to 50 pairs of strings of the owner''s own; searchable, not secret.';
COMMENT ON CONSTRAINT documents_external_id_shape ON documents IS 'Visible ASCII characters, 100 at the most.';
COMMENT ON CONSTRAINT documents_metadata_bounded ON documents IS 'An object; the application knows its limits.';
CREATE UNIQUE INDEX documents_external_id_key ON documents (owner_id, external_id) WHERE external_id IS NOT NULL;
COMMENT ON INDEX documents_external_id_key IS 'An external id names one row of an owner. Serves: a row by its external id.';
CREATE INDEX documents_metadata_idx ON documents USING gin (owner_id, metadata jsonb_path_ops) WHERE metadata <> '{}';
COMMENT ON INDEX documents_metadata_idx IS 'Serves: an owner''s documents with a pair of metadata.';

ALTER TABLE memory_tags
  ADD COLUMN external_id text COLLATE "C",
  ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}',
  ADD CONSTRAINT memory_tags_external_id_shape CHECK (external_id ~ '^[!-~]{1,100}$'),
  ADD CONSTRAINT memory_tags_metadata_bounded CHECK (jsonb_typeof(metadata) = 'object' AND length(metadata::text) <= 60000);
COMMENT ON COLUMN memory_tags.external_id IS 'The id that the owner''s own systems give it; unique among the owner''s memory tags.';
COMMENT ON COLUMN memory_tags.metadata IS 'Up to 50 pairs of strings of the owner''s own; searchable, not secret.';
COMMENT ON CONSTRAINT memory_tags_external_id_shape ON memory_tags IS 'Visible ASCII characters, 100 at the most.';
COMMENT ON CONSTRAINT memory_tags_metadata_bounded ON memory_tags IS 'An object; the application knows its limits.';
CREATE UNIQUE INDEX memory_tags_external_id_key ON memory_tags (owner_id, external_id) WHERE external_id IS NOT NULL;
COMMENT ON INDEX memory_tags_external_id_key IS 'An external id names one row of an owner. Serves: a row by its external id.';
CREATE INDEX memory_tags_metadata_idx ON memory_tags USING gin (owner_id, metadata jsonb_path_ops) WHERE metadata <> '{}';
COMMENT ON INDEX memory_tags_metadata_idx IS 'Serves: an owner''s memory tags with a pair of metadata.';
