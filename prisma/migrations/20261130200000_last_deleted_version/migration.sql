-- Compatible with earlier versions: yes
ALTER TABLE documents
  ADD COLUMN last_deleted_version integer NOT NULL DEFAULT 0 CONSTRAINT documents_last_deleted_version_positive CHECK (last_deleted_version >= 0);
COMMENT ON COLUMN documents.last_deleted_version IS 'Highest number of its deleted versions, 0 without any. No later version gets it again.';
COMMENT ON CONSTRAINT documents_last_deleted_version_positive ON documents IS 'A number of a version, or 0.';
