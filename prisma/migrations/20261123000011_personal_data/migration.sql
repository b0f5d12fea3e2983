-- Export and erasure of personal data, emergency access of administrators, and daily counts of the service.

-- ---------------------------------------------------------------------------------------------
-- Exports
-- ---------------------------------------------------------------------------------------------

CREATE TABLE data_exports (
  id         text COLLATE "C" NOT NULL,
  user_id    text COLLATE "C" NOT NULL,
  status     text NOT NULL DEFAULT 'WAITING',
  recipient  text,
  attempts   integer NOT NULL DEFAULT 0,
  file       text,
  file_key   bytea,
  size       bigint,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  ready_at   timestamptz(3),
  expires_at timestamptz(3),
  CONSTRAINT data_exports_pkey PRIMARY KEY (id),
  CONSTRAINT data_exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT data_exports_file_key UNIQUE (file),
  CONSTRAINT data_exports_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT data_exports_status_known CHECK (status IN ('WAITING', 'READY', 'FAILED')),
  CONSTRAINT data_exports_attempts_not_negative CHECK (attempts >= 0),
  CONSTRAINT data_exports_file_shape CHECK (file ~ '^[0-9a-f]{24}-[a-z0-9]{16}\.age$'),
  CONSTRAINT data_exports_ready_complete CHECK ((status = 'READY') = (file IS NOT NULL AND size IS NOT NULL AND ready_at IS NOT NULL)),
  CONSTRAINT data_exports_key_has_file CHECK (file_key IS NULL OR file IS NOT NULL),
  CONSTRAINT data_exports_single_key CHECK (file IS NULL OR (recipient IS NULL) = (file_key IS NOT NULL)),
  CONSTRAINT data_exports_expiry_complete CHECK ((status = 'WAITING') = (expires_at IS NULL))
);
COMMENT ON TABLE data_exports IS 'Archives of a user''s data, created by a job. The files are in DATA_DIR/exports and are deleted with their rows.';
COMMENT ON COLUMN data_exports.id IS 'Record id.';
COMMENT ON COLUMN data_exports.user_id IS 'Whose data.';
COMMENT ON COLUMN data_exports.status IS 'WAITING, READY or FAILED.';
COMMENT ON COLUMN data_exports.recipient IS 'The user''s own public key (age), if given: then only they can decrypt the file.';
COMMENT ON COLUMN data_exports.attempts IS 'Tries so far.';
COMMENT ON COLUMN data_exports.file IS 'File name below DATA_DIR/exports.';
COMMENT ON COLUMN data_exports.file_key IS 'Private key that decrypts the file, encrypted; null if the file is encrypted to the user''s own key.';
COMMENT ON COLUMN data_exports.size IS 'Bytes of what is fetched.';
COMMENT ON COLUMN data_exports.created_at IS 'When it was asked for.';
COMMENT ON COLUMN data_exports.ready_at IS 'When the file was complete.';
COMMENT ON COLUMN data_exports.expires_at IS 'When the row and its file are removed.';
COMMENT ON CONSTRAINT data_exports_file_shape ON data_exports IS 'A file name that the service makes, and no path.';
COMMENT ON CONSTRAINT data_exports_ready_complete ON data_exports IS 'An export that is READY, and no other, has file, size and time.';
COMMENT ON CONSTRAINT data_exports_key_has_file ON data_exports IS 'A key requires a file.';
COMMENT ON CONSTRAINT data_exports_single_key ON data_exports IS 'An archive is encrypted to the user''s own key or to one that the service stores, not both.';
COMMENT ON CONSTRAINT data_exports_expiry_complete ON data_exports IS 'An export that is READY or FAILED expires; one that waits does not.';
CREATE INDEX data_exports_user_id_idx ON data_exports (user_id, created_at DESC, id DESC);
COMMENT ON INDEX data_exports_user_id_idx IS 'Serves: a user''s exports, newest first, and the deletion of a user.';
CREATE UNIQUE INDEX data_exports_one_waiting_idx ON data_exports (user_id) WHERE status = 'WAITING';
COMMENT ON INDEX data_exports_one_waiting_idx IS 'Serves: one export per user at a time, and the search for exports whose job was lost.';
CREATE INDEX data_exports_expires_at_idx ON data_exports (expires_at);
COMMENT ON INDEX data_exports_expires_at_idx IS 'Serves: clean-up.';
CREATE TRIGGER data_exports_erasure_guard BEFORE INSERT ON data_exports
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('user_id');
COMMENT ON TRIGGER data_exports_erasure_guard ON data_exports IS 'No export is created for an erased account.';

-- ---------------------------------------------------------------------------------------------
-- Erasures
-- ---------------------------------------------------------------------------------------------

CREATE TABLE erasures (
  id              text COLLATE "C" NOT NULL,
  user_id         text COLLATE "C" NOT NULL,
  audit_reference text COLLATE "C",
  scan_cursor_at  timestamptz(3),
  scan_cursor_id  text COLLATE "C",
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  finished_at     timestamptz(3),
  CONSTRAINT erasures_pkey PRIMARY KEY (id),
  CONSTRAINT erasures_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT erasures_user_id_key UNIQUE (user_id),
  CONSTRAINT erasures_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT erasures_scan_cursor_complete CHECK ((scan_cursor_at IS NULL) = (scan_cursor_id IS NULL)),
  CONSTRAINT erasures_finished_has_no_data CHECK (finished_at IS NULL OR (audit_reference IS NULL AND scan_cursor_at IS NULL))
);
COMMENT ON TABLE erasures IS 'Accounts that were erased, and how far a job is with the rest of what was theirs.';
COMMENT ON COLUMN erasures.id IS 'Record id.';
COMMENT ON COLUMN erasures.user_id IS 'The anonymous row that remains of the account.';
COMMENT ON COLUMN erasures.audit_reference IS 'Reference of the user in the audit trail, until the addresses of their entries are removed.';
COMMENT ON COLUMN erasures.scan_cursor_at IS 'Cursor: time of the last scan that was anonymized, from the newest on.';
COMMENT ON COLUMN erasures.scan_cursor_id IS 'Cursor: id of that scan.';
COMMENT ON COLUMN erasures.created_at IS 'When the account was erased.';
COMMENT ON COLUMN erasures.finished_at IS 'When nothing was left to do.';
COMMENT ON CONSTRAINT erasures_scan_cursor_complete ON erasures IS 'The cursor has a time and an id, or neither.';
COMMENT ON CONSTRAINT erasures_finished_has_no_data ON erasures IS 'A finished erasure contains nothing about the user.';
CREATE INDEX erasures_unfinished_idx ON erasures (id) WHERE finished_at IS NULL;
COMMENT ON INDEX erasures_unfinished_idx IS 'Serves: looking for erasures whose job was lost.';

CREATE TABLE erased_files (
  erasure_id text COLLATE "C" NOT NULL,
  folder     text COLLATE "C" NOT NULL,
  name       text COLLATE "C" NOT NULL,
  CONSTRAINT erased_files_pkey PRIMARY KEY (erasure_id, folder, name),
  CONSTRAINT erased_files_erasure_id_fkey FOREIGN KEY (erasure_id) REFERENCES erasures (id) ON DELETE CASCADE,
  CONSTRAINT erased_files_folder_known CHECK (folder IN ('profile-pictures', 'qrcodes', 'exports')),
  CONSTRAINT erased_files_name_plain CHECK (name ~ '^[a-z0-9][a-z0-9.-]*$')
);
COMMENT ON TABLE erased_files IS 'Files of erased accounts that are still to be removed.';
COMMENT ON COLUMN erased_files.erasure_id IS 'The erasure.';
COMMENT ON COLUMN erased_files.folder IS 'profile-pictures, qrcodes or exports.';
COMMENT ON COLUMN erased_files.name IS 'File name in that folder.';
COMMENT ON CONSTRAINT erased_files_name_plain ON erased_files IS 'A file name, and no path.';

-- ---------------------------------------------------------------------------------------------
-- Administration
-- ---------------------------------------------------------------------------------------------

CREATE TABLE break_glass_grants (
  id               text COLLATE "C" NOT NULL,
  administrator_id text COLLATE "C" NOT NULL,
  owner_id         text COLLATE "C" NOT NULL,
  resource_type    text NOT NULL,
  resource_id      text COLLATE "C" NOT NULL,
  reason           bytea NOT NULL,
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  expires_at       timestamptz(3) NOT NULL,
  CONSTRAINT break_glass_grants_pkey PRIMARY KEY (id),
  CONSTRAINT break_glass_grants_administrator_id_fkey FOREIGN KEY (administrator_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT break_glass_grants_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT break_glass_grants_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT break_glass_grants_resource_type_known CHECK (resource_type IN ('QRCODE', 'SCAN')),
  CONSTRAINT break_glass_grants_expires_after_creation CHECK (expires_at > created_at)
);
COMMENT ON TABLE break_glass_grants IS 'Emergencies in which an administrator reads one record that is not theirs, for a quarter of an hour.';
COMMENT ON COLUMN break_glass_grants.id IS 'Record id.';
COMMENT ON COLUMN break_glass_grants.administrator_id IS 'Who reads.';
COMMENT ON COLUMN break_glass_grants.owner_id IS 'The owner of the record, who is notified.';
COMMENT ON COLUMN break_glass_grants.resource_type IS 'QRCODE or SCAN.';
COMMENT ON COLUMN break_glass_grants.resource_id IS 'The one record.';
COMMENT ON COLUMN break_glass_grants.reason IS 'The reason as the administrator stated it, encrypted.';
COMMENT ON COLUMN break_glass_grants.created_at IS 'When the glass was broken.';
COMMENT ON COLUMN break_glass_grants.expires_at IS 'End of the quarter of an hour.';
COMMENT ON CONSTRAINT break_glass_grants_expires_after_creation ON break_glass_grants IS 'A grant expires after it was created.';
CREATE INDEX break_glass_grants_administrator_id_idx ON break_glass_grants (administrator_id, resource_id, expires_at DESC);
COMMENT ON INDEX break_glass_grants_administrator_id_idx IS 'Serves: may this administrator read this record now?';
CREATE INDEX break_glass_grants_owner_id_idx ON break_glass_grants (owner_id);
COMMENT ON INDEX break_glass_grants_owner_id_idx IS 'Serves: the deletion of a user.';
CREATE INDEX break_glass_grants_created_at_idx ON break_glass_grants (created_at DESC, id DESC);
COMMENT ON INDEX break_glass_grants_created_at_idx IS 'Serves: all emergencies, newest first, for auditors.';

CREATE TABLE daily_service_counts (
  day      date NOT NULL,
  users    integer NOT NULL,
  qr_codes integer NOT NULL,
  scans    integer NOT NULL,
  humans   integer NOT NULL,
  uniques  integer NOT NULL,
  CONSTRAINT daily_service_counts_pkey PRIMARY KEY (day),
  CONSTRAINT daily_service_counts_counts_ordered CHECK (0 <= uniques AND uniques <= humans AND humans <= scans),
  CONSTRAINT daily_service_counts_counts_not_negative CHECK (users >= 0 AND qr_codes >= 0)
);
COMMENT ON TABLE daily_service_counts IS 'Counts of the whole service by finished UTC day. The current day is counted on request.';
COMMENT ON COLUMN daily_service_counts.day IS 'UTC day.';
COMMENT ON COLUMN daily_service_counts.users IS 'Accounts made on the day.';
COMMENT ON COLUMN daily_service_counts.qr_codes IS 'QR codes made on the day.';
COMMENT ON COLUMN daily_service_counts.scans IS 'Scans of the day, of all classes.';
COMMENT ON COLUMN daily_service_counts.humans IS 'Scans of class HUMAN.';
COMMENT ON COLUMN daily_service_counts.uniques IS 'Different human visitors of the day.';
COMMENT ON CONSTRAINT daily_service_counts_counts_ordered ON daily_service_counts IS 'Never below zero, and never more uniques than humans, nor humans than scans.';
