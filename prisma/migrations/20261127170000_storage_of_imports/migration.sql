-- Compatible with earlier versions: yes
CREATE OR REPLACE VIEW reporting.storage WITH (security_barrier) AS
SELECT owner_id, 'DOCUMENT' AS type, count(*) AS files, sum(size)::bigint AS bytes, true AS counts_towards_limit
FROM document_versions GROUP BY owner_id
UNION ALL
SELECT owner_id, CASE WHEN qr_code_id IS NULL THEN 'MEMORY_TAG_PICTURE' ELSE 'CODE_PICTURE' END, count(*), sum(size)::bigint, true
FROM pictures GROUP BY owner_id, qr_code_id IS NULL
UNION ALL
SELECT file.owner_id, 'PICTURE_RENDITION', count(*), sum(file.size)::bigint, false
FROM stored_files AS file JOIN picture_renditions AS rendition ON rendition.file_id = file.id
WHERE file.state = 'STORED' GROUP BY file.owner_id
UNION ALL
SELECT file.owner_id, 'DATA_EXPORT', count(*), sum(file.size)::bigint, false
FROM stored_files AS file JOIN data_exports AS export ON export.file_id = file.id
WHERE file.state = 'STORED' GROUP BY file.owner_id
UNION ALL
SELECT owner_id, 'IMPORT', count(*), sum(size)::bigint, false
FROM imports WHERE file_id IS NOT NULL GROUP BY owner_id;
COMMENT ON COLUMN reporting.storage.type IS 'DOCUMENT (every version), MEMORY_TAG_PICTURE, CODE_PICTURE, PICTURE_RENDITION (a smaller size of a picture), DATA_EXPORT (an archive of the user''s data) or IMPORT (the file of an import of codes that has not ended).';
