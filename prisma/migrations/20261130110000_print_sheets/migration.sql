-- Compatible with earlier versions: yes
CREATE TABLE print_sheets (
  account_id  text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  status      text NOT NULL DEFAULT 'WAITING',
  template    text,
  options     jsonb NOT NULL,
  code_ids    text[] COLLATE "C" NOT NULL,
  codes       integer NOT NULL,
  processed   integer NOT NULL DEFAULT 0,
  labels      integer NOT NULL DEFAULT 0,
  pages       integer NOT NULL DEFAULT 0,
  left_out    jsonb NOT NULL DEFAULT '[]',
  attempts    integer NOT NULL DEFAULT 0,
  file_id     text COLLATE "C",
  size        bigint,
  request_id  text NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  finished_at timestamptz(3),
  expires_at  timestamptz(3),
  CONSTRAINT print_sheets_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT print_sheets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE,
  CONSTRAINT print_sheets_file_id_fkey FOREIGN KEY (file_id) REFERENCES stored_files (id) ON DELETE SET NULL,
  CONSTRAINT print_sheets_file_id_key UNIQUE (file_id),
  CONSTRAINT print_sheets_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT print_sheets_status_known CHECK (status IN ('WAITING', 'READY', 'FAILED')),
  CONSTRAINT print_sheets_finished_complete CHECK ((status = 'WAITING') = (finished_at IS NULL) AND (finished_at IS NULL) = (expires_at IS NULL)),
  CONSTRAINT print_sheets_ready_complete CHECK ((status = 'READY') = (size IS NOT NULL)),
  CONSTRAINT print_sheets_counts_in_range CHECK (least(processed, labels, pages, attempts, size) >= 0 AND codes BETWEEN 1 AND 5000 AND processed <= codes)
);
COMMENT ON TABLE print_sheets IS 'PDF files with a label for each of many codes, made by a job. One is removed a week after it ended.';
COMMENT ON COLUMN print_sheets.account_id IS 'Whose codes are printed.';
COMMENT ON COLUMN print_sheets.id IS 'Record id.';
COMMENT ON COLUMN print_sheets.status IS 'WAITING (for a job, or while it draws), READY or FAILED.';
COMMENT ON COLUMN print_sheets.template IS 'Id of the label template; null for measures of the user.';
COMMENT ON COLUMN print_sheets.options IS 'Measures of the labels, and what is printed on them.';
COMMENT ON COLUMN print_sheets.code_ids IS 'The codes in the order of their labels; empty once it has ended.';
COMMENT ON COLUMN print_sheets.codes IS 'How many codes were requested.';
COMMENT ON COLUMN print_sheets.processed IS 'How many of them the job has drawn or left out.';
COMMENT ON COLUMN print_sheets.labels IS 'How many labels it has.';
COMMENT ON COLUMN print_sheets.pages IS 'How many pages it has.';
COMMENT ON COLUMN print_sheets.left_out IS 'Codes that have no label: id and reason of each.';
COMMENT ON COLUMN print_sheets.attempts IS 'How often a job has begun.';
COMMENT ON COLUMN print_sheets.file_id IS 'The PDF; of a WAITING one what the current attempt writes.';
COMMENT ON COLUMN print_sheets.size IS 'Bytes of the PDF; null unless READY.';
COMMENT ON COLUMN print_sheets.request_id IS 'Id of the request that began it.';
COMMENT ON COLUMN print_sheets.created_at IS 'When it was requested.';
COMMENT ON COLUMN print_sheets.finished_at IS 'When it ended.';
COMMENT ON COLUMN print_sheets.expires_at IS 'When it is removed with its file; null until it ended.';
COMMENT ON CONSTRAINT print_sheets_pkey ON print_sheets IS 'One row a record id.';
COMMENT ON CONSTRAINT print_sheets_account_id_fkey ON print_sheets IS 'Deleted with its account.';
COMMENT ON CONSTRAINT print_sheets_file_id_fkey ON print_sheets IS 'A private file.';
COMMENT ON CONSTRAINT print_sheets_file_id_key ON print_sheets IS 'A file is of one print sheet.';
COMMENT ON CONSTRAINT print_sheets_id_shape ON print_sheets IS '24 hexadecimal digits.';
COMMENT ON CONSTRAINT print_sheets_status_known ON print_sheets IS 'WAITING, READY or FAILED.';
COMMENT ON CONSTRAINT print_sheets_finished_complete ON print_sheets IS 'One that ended, and no other, has the time of its end and of its removal.';
COMMENT ON CONSTRAINT print_sheets_ready_complete ON print_sheets IS 'A READY one, and no other, has the size of its file.';
COMMENT ON CONSTRAINT print_sheets_counts_in_range ON print_sheets IS 'Counts, and at most 5,000 codes.';
CREATE TRIGGER print_sheets_erasure_guard BEFORE INSERT ON print_sheets
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('account_id');
COMMENT ON TRIGGER print_sheets_erasure_guard ON print_sheets IS 'No print sheet is stored for an erased account.';
