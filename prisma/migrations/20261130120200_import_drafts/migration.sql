-- Compatible with earlier versions: yes
ALTER TABLE imports ADD COLUMN is_draft boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN imports.is_draft IS 'Whether it is an upload that is not imported yet: its columns are mapped in a page. It is removed a day later, and until it is started its status is CANCELED.';
CREATE OR REPLACE VIEW reporting.imports WITH (security_barrier) AS
SELECT id, account_id, format, status, size AS bytes, bytes_read, created, updated, unchanged, failed,
       error ->> 'code' AS error_code, created_at, started_at, finished_at
FROM imports WHERE NOT is_draft;
