-- Compatible with earlier versions: yes
-- Deleted pictures have their files, and count towards the limit, until they are removed.
CREATE OR REPLACE VIEW reporting.storage WITH (security_barrier) AS
SELECT account_id AS owner_id, type, files, bytes, counts_towards_limit, account_id FROM (
  SELECT account_id, 'DOCUMENT' AS type, count(*) AS files, sum(size)::bigint AS bytes, true AS counts_towards_limit
  FROM document_versions GROUP BY account_id
  UNION ALL
  SELECT account_id, CASE WHEN qr_code_id IS NULL THEN 'MEMORY_TAG_PICTURE' ELSE 'CODE_PICTURE' END, count(*), sum(size)::bigint, true
  FROM (SELECT account_id, qr_code_id, size FROM pictures
        UNION ALL SELECT account_id, qr_code_id, size FROM deleted_pictures) AS picture
  GROUP BY account_id, qr_code_id IS NULL
  UNION ALL
  SELECT file.account_id, 'PICTURE_RENDITION', count(*), sum(file.size)::bigint, false
  FROM stored_files AS file JOIN picture_renditions AS rendition ON rendition.file_id = file.id
  WHERE file.state = 'STORED' GROUP BY file.account_id
  UNION ALL
  SELECT file.account_id, 'DATA_EXPORT', count(*), sum(file.size)::bigint, false
  FROM stored_files AS file JOIN data_exports AS export ON export.file_id = file.id
  WHERE file.state = 'STORED' GROUP BY file.account_id
  UNION ALL
  SELECT file.account_id, 'IMPORT', count(*), sum(file.size)::bigint, false
  FROM stored_files AS file JOIN imports AS source ON source.file_id = file.id
  WHERE file.state = 'STORED' GROUP BY file.account_id
  UNION ALL
  SELECT file.account_id, 'PRINT_SHEET', count(*), sum(file.size)::bigint, false
  FROM stored_files AS file JOIN print_sheets AS sheet ON sheet.file_id = file.id
  WHERE file.state = 'STORED' GROUP BY file.account_id
  UNION ALL
  SELECT account_id, 'IMPORT_ERRORS', count(*), sum(pg_column_size(errors))::bigint, true
  FROM import_errors GROUP BY account_id) AS stored;
COMMENT ON COLUMN reporting.storage.type IS 'DOCUMENT (every version), MEMORY_TAG_PICTURE, CODE_PICTURE (each with the deleted ones that can be restored), PICTURE_RENDITION (a smaller size of a picture), DATA_EXPORT (an archive of the user''s data), IMPORT (the file of an import of codes, and of one that has ended its rows with errors), PRINT_SHEET (a PDF with labels) or IMPORT_ERRORS (the errors of its rows, a part each).';
