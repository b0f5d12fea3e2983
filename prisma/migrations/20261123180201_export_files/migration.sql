-- Archives of personal data are private files, so that every host can send and remove them.

ALTER TABLE data_exports
  DROP CONSTRAINT data_exports_ready_complete,
  DROP CONSTRAINT data_exports_key_has_file,
  DROP CONSTRAINT data_exports_single_key,
  DROP CONSTRAINT data_exports_file_shape,
  DROP CONSTRAINT data_exports_file_key;

-- Earlier archives are in a folder of one host. Without their keys nothing opens them; each host deletes its own at its start.
UPDATE data_exports SET status = 'FAILED', size = NULL, ready_at = NULL WHERE status = 'READY';

ALTER TABLE data_exports
  DROP COLUMN file,
  DROP COLUMN file_key,
  ADD COLUMN file_id text COLLATE "C",
  ADD CONSTRAINT data_exports_file_id_fkey FOREIGN KEY (file_id) REFERENCES stored_files (id) ON DELETE SET NULL,
  ADD CONSTRAINT data_exports_file_id_key UNIQUE (file_id),
  ADD CONSTRAINT data_exports_ready_complete CHECK (CASE status
    WHEN 'READY' THEN file_id IS NOT NULL AND size IS NOT NULL AND ready_at IS NOT NULL
    WHEN 'WAITING' THEN size IS NULL AND ready_at IS NULL
    ELSE file_id IS NULL AND size IS NULL AND ready_at IS NULL END);
COMMENT ON TABLE data_exports IS 'Archives of a user''s data, created by a job.';
COMMENT ON COLUMN data_exports.recipient IS 'The user''s own public key (age), if given: then the archive is an age file that only they can decrypt.';
COMMENT ON COLUMN data_exports.file_id IS 'The archive; of a waiting export the file that is being written.';
COMMENT ON COLUMN data_exports.size IS 'Bytes of the archive.';
COMMENT ON COLUMN data_exports.expires_at IS 'When the row and its file are removed.';
COMMENT ON CONSTRAINT data_exports_file_id_fkey ON data_exports IS 'A private file. That of a waiting export can be removed.';
COMMENT ON CONSTRAINT data_exports_file_id_key ON data_exports IS 'A file is of one export.';
COMMENT ON CONSTRAINT data_exports_ready_complete ON data_exports IS 'A READY export has a file, a size and a time; a FAILED one has none.';

DELETE FROM erased_files WHERE folder = 'exports';
ALTER TABLE erased_files
  DROP CONSTRAINT erased_files_folder_known,
  ADD CONSTRAINT erased_files_folder_known CHECK (folder IN ('profile-pictures', 'qrcodes'));
COMMENT ON TABLE erased_files IS 'Public files of erased accounts that are still to be removed.';
COMMENT ON COLUMN erased_files.folder IS 'profile-pictures or qrcodes.';
