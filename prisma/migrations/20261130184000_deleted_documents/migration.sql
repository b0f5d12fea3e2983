-- An earlier version would go on showing deleted documents.
ALTER TABLE documents
  ADD COLUMN deleted_at timestamptz(3),
  ADD COLUMN deleted_external_id text COLLATE "C" CONSTRAINT documents_deleted_external_id_shape CHECK (deleted_external_id ~ '^[!-~]{1,100}$');
COMMENT ON COLUMN documents.deleted_at IS 'When it was deleted; it can be restored for 30 days. Null if it is not.';
COMMENT ON COLUMN documents.deleted_external_id IS 'The external id of a deleted document, which another document can have meanwhile.';
COMMENT ON CONSTRAINT documents_deleted_external_id_shape ON documents IS 'Visible ASCII characters, 100 at the most.';
COMMENT ON VIEW reporting.documents IS 'Documents, without titles, notes and files. A deleted document has a row until it can no longer be restored.';
