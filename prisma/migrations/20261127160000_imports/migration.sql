-- Compatible with earlier versions: yes
CREATE TABLE imports (
  owner_id     text COLLATE "C" NOT NULL,
  id           text COLLATE "C" NOT NULL,
  format       text NOT NULL,
  status       text NOT NULL DEFAULT 'WAITING',
  file_id      text COLLATE "C",
  size         bigint NOT NULL,
  bytes_read   bigint NOT NULL DEFAULT 0,
  row_number   integer NOT NULL DEFAULT 0,
  created      integer NOT NULL DEFAULT 0,
  updated      integer NOT NULL DEFAULT 0,
  unchanged    integer NOT NULL DEFAULT 0,
  failed       integer NOT NULL DEFAULT 0,
  error        jsonb,
  request_id   text NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  started_at   timestamptz(3),
  finished_at  timestamptz(3),
  expires_at   timestamptz(3),
  CONSTRAINT imports_pkey PRIMARY KEY (owner_id, id),
  CONSTRAINT imports_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT imports_file_id_fkey FOREIGN KEY (file_id) REFERENCES stored_files (id) ON DELETE SET NULL,
  CONSTRAINT imports_file_id_key UNIQUE (file_id),
  CONSTRAINT imports_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT imports_format_known CHECK (format IN ('csv', 'jsonl')),
  CONSTRAINT imports_status_known CHECK (status IN ('WAITING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELED')),
  CONSTRAINT imports_finished_complete CHECK ((status IN ('WAITING', 'RUNNING')) = (finished_at IS NULL) AND (finished_at IS NULL) = (expires_at IS NULL)),
  CONSTRAINT imports_failed_complete CHECK ((status = 'FAILED') = (error IS NOT NULL))
);
COMMENT ON TABLE imports IS 'Imports of codes from a file of many rows, by a job. A finished one is removed after a week.';
COMMENT ON COLUMN imports.owner_id IS 'Whose codes are imported.';
COMMENT ON COLUMN imports.id IS 'Record id.';
COMMENT ON COLUMN imports.format IS 'csv or jsonl.';
COMMENT ON COLUMN imports.status IS 'WAITING, RUNNING, COMPLETED (all rows are done, also those that failed), FAILED (the rest of the file cannot be read) or CANCELED.';
COMMENT ON COLUMN imports.file_id IS 'The file; null once the import is finished.';
COMMENT ON COLUMN imports.size IS 'Bytes of the file.';
COMMENT ON COLUMN imports.bytes_read IS 'Where the next batch of rows begins. It grows in the transaction that stores a batch, so that none is stored twice.';
COMMENT ON COLUMN imports.row_number IS 'Rows before that place, with the header and empty ones.';
COMMENT ON COLUMN imports.created IS 'Rows that created a code.';
COMMENT ON COLUMN imports.updated IS 'Rows that changed a code.';
COMMENT ON COLUMN imports.unchanged IS 'Rows equal to their code.';
COMMENT ON COLUMN imports.failed IS 'Rows with errors.';
COMMENT ON COLUMN imports.error IS 'Why it failed: row, code and message; null unless it failed.';
COMMENT ON COLUMN imports.request_id IS 'Id of the request that began it; the audit trail has it for each row.';
COMMENT ON COLUMN imports.created_at IS 'When it was requested.';
COMMENT ON COLUMN imports.started_at IS 'When its first batch was stored.';
COMMENT ON COLUMN imports.finished_at IS 'When it ended.';
COMMENT ON COLUMN imports.expires_at IS 'When it is removed with its errors; null until it ended.';
COMMENT ON CONSTRAINT imports_pkey ON imports IS 'One row a record id.';
COMMENT ON CONSTRAINT imports_owner_id_fkey ON imports IS 'Deleted with its user.';
COMMENT ON CONSTRAINT imports_file_id_fkey ON imports IS 'A private file.';
COMMENT ON CONSTRAINT imports_file_id_key ON imports IS 'A file is of one import.';
COMMENT ON CONSTRAINT imports_id_shape ON imports IS '24 hexadecimal digits.';
COMMENT ON CONSTRAINT imports_format_known ON imports IS 'csv or jsonl.';
COMMENT ON CONSTRAINT imports_status_known ON imports IS 'WAITING, RUNNING, COMPLETED, FAILED or CANCELED.';
COMMENT ON CONSTRAINT imports_finished_complete ON imports IS 'An import that ended, and no other, has the time of its end and of its removal.';
COMMENT ON CONSTRAINT imports_failed_complete ON imports IS 'A FAILED import, and no other, has an error.';
CREATE INDEX imports_owner_id_idx ON imports (owner_id, created_at DESC, id DESC);
COMMENT ON INDEX imports_owner_id_idx IS 'Serves: the imports of a user, newest first.';
CREATE INDEX imports_open_idx ON imports (id) WHERE finished_at IS NULL;
COMMENT ON INDEX imports_open_idx IS 'Serves: the search for imports whose job was lost.';
CREATE INDEX imports_expires_at_idx ON imports (expires_at);
COMMENT ON INDEX imports_expires_at_idx IS 'Serves: clean-up.';
CREATE TRIGGER imports_erasure_guard BEFORE INSERT ON imports
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('owner_id');
COMMENT ON TRIGGER imports_erasure_guard ON imports IS 'No import is stored for an erased account.';

CREATE TABLE import_errors (
  owner_id   text COLLATE "C" NOT NULL,
  import_id  text COLLATE "C" NOT NULL,
  row_number integer NOT NULL,
  errors     jsonb NOT NULL,
  CONSTRAINT import_errors_pkey PRIMARY KEY (owner_id, import_id, row_number),
  CONSTRAINT import_errors_import_fkey FOREIGN KEY (owner_id, import_id) REFERENCES imports (owner_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE import_errors IS 'Errors of rows of imports; one row here has those of a batch.';
COMMENT ON COLUMN import_errors.owner_id IS 'Whose import.';
COMMENT ON COLUMN import_errors.import_id IS 'The import.';
COMMENT ON COLUMN import_errors.row_number IS 'Rows before the batch.';
COMMENT ON COLUMN import_errors.errors IS 'Row, field, code and message of each; no values of the file.';
COMMENT ON CONSTRAINT import_errors_pkey ON import_errors IS 'One row a batch. Serves: the errors of an import in the order of its rows.';
COMMENT ON CONSTRAINT import_errors_import_fkey ON import_errors IS 'Deleted with its import.';
