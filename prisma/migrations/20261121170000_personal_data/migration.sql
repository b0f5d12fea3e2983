-- Personal data: what a person takes with them, and what goes when they go.

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
  CONSTRAINT data_exports_ready_is_whole CHECK ((status = 'READY') = (file IS NOT NULL AND size IS NOT NULL AND ready_at IS NOT NULL)),
  CONSTRAINT data_exports_key_of_file CHECK (file_key IS NULL OR file IS NOT NULL),
  CONSTRAINT data_exports_one_key CHECK (file IS NULL OR (recipient IS NULL) = (file_key IS NOT NULL)),
  CONSTRAINT data_exports_ends CHECK ((status = 'WAITING') = (expires_at IS NULL))
);
COMMENT ON TABLE data_exports IS 'Archives of a person''s data that a job makes; the files lie below DATA_DIR/exports and go with their rows.';
COMMENT ON COLUMN data_exports.id IS 'Record id.';
COMMENT ON COLUMN data_exports.user_id IS 'Whose data.';
COMMENT ON COLUMN data_exports.status IS 'WAITING, READY or FAILED.';
COMMENT ON COLUMN data_exports.recipient IS 'The person''s own public key (age), where they gave one: then only they can open the file.';
COMMENT ON COLUMN data_exports.attempts IS 'Tries so far.';
COMMENT ON COLUMN data_exports.file IS 'File name below DATA_DIR/exports.';
COMMENT ON COLUMN data_exports.file_key IS 'The private key that opens the file, encrypted; null where it is for the person''s own key.';
COMMENT ON COLUMN data_exports.size IS 'Bytes of the file.';
COMMENT ON COLUMN data_exports.created_at IS 'When it was asked for.';
COMMENT ON COLUMN data_exports.ready_at IS 'When the file was complete.';
COMMENT ON COLUMN data_exports.expires_at IS 'When the row and its file are removed.';
CREATE INDEX data_exports_user_id_idx ON data_exports (user_id, created_at DESC, id DESC);
COMMENT ON INDEX data_exports_user_id_idx IS 'Serves: a person''s exports, newest first, and the deletion of a person.';
CREATE UNIQUE INDEX data_exports_one_waiting_idx ON data_exports (user_id) WHERE status = 'WAITING';
COMMENT ON INDEX data_exports_one_waiting_idx IS 'Serves: the rule that of a person one export at a time is being made, and looking for those that nobody makes any more.';
CREATE INDEX data_exports_expires_at_idx ON data_exports (expires_at);
COMMENT ON INDEX data_exports_expires_at_idx IS 'Serves: clean-up.';

-- ---------------------------------------------------------------------------------------------
-- Erasures
-- ---------------------------------------------------------------------------------------------

CREATE TABLE erasures (
  id              text COLLATE "C" NOT NULL,
  user_id         text COLLATE "C" NOT NULL,
  audit_reference text COLLATE "C",
  scans_to        timestamptz(3),
  scans_to_id     text COLLATE "C",
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  finished_at     timestamptz(3),
  CONSTRAINT erasures_pkey PRIMARY KEY (id),
  CONSTRAINT erasures_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT erasures_user_id_key UNIQUE (user_id),
  CONSTRAINT erasures_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT erasures_scans_to_is_whole CHECK ((scans_to IS NULL) = (scans_to_id IS NULL)),
  CONSTRAINT erasures_finished_is_empty CHECK (finished_at IS NULL OR (audit_reference IS NULL AND scans_to IS NULL))
);
COMMENT ON TABLE erasures IS 'Accounts that were erased, and how far a job is with the rest of what was theirs.';
COMMENT ON COLUMN erasures.id IS 'Record id.';
COMMENT ON COLUMN erasures.user_id IS 'The row that remains of the account: an id without a person.';
COMMENT ON COLUMN erasures.audit_reference IS 'The reference that stood for the person in the trail, until the addresses of their entries are removed.';
COMMENT ON COLUMN erasures.scans_to IS 'Time of the last scan that was emptied; they are emptied from the newest on.';
COMMENT ON COLUMN erasures.scans_to_id IS 'Id of that scan.';
COMMENT ON COLUMN erasures.created_at IS 'When the account was erased.';
COMMENT ON COLUMN erasures.finished_at IS 'When nothing was left to do.';
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

-- ---------------------------------------------------------------------------------------------
-- What finds the person behind a row that has no account
-- ---------------------------------------------------------------------------------------------

ALTER TABLE outgoing_mails ADD COLUMN recipient_hash bytea;
ALTER TABLE outgoing_mails ADD CONSTRAINT outgoing_mails_recipient_only_while_waiting
  CHECK (status = 'WAITING' OR recipient_hash IS NULL);
COMMENT ON COLUMN outgoing_mails.recipient_hash IS 'Keyed hash of the recipient''s address, by which erasure finds the mails that wait; deleted with the content.';
CREATE INDEX outgoing_mails_recipient_hash_idx ON outgoing_mails (recipient_hash) WHERE recipient_hash IS NOT NULL;
COMMENT ON INDEX outgoing_mails_recipient_hash_idx IS 'Serves: giving up what waits for an address that was erased.';

ALTER TABLE idempotency_keys ADD COLUMN content_of text COLLATE "C";
COMMENT ON COLUMN idempotency_keys.content_of IS 'The account whose content the response shows, where it is another than who: a scan shows what an owner allows.';
CREATE INDEX idempotency_keys_content_of_idx ON idempotency_keys (content_of) WHERE content_of IS NOT NULL;
COMMENT ON INDEX idempotency_keys_content_of_idx IS 'Serves: the erasure of an account.';

DROP INDEX scans_scanner_id_idx;
CREATE INDEX scans_scanner_id_idx ON scans (scanner_id, id) WHERE scanner_id IS NOT NULL;
COMMENT ON INDEX scans_scanner_id_idx IS 'Serves: the scans that a person made, for their export, and the deletion of a person.';

-- ---------------------------------------------------------------------------------------------
-- Nothing comes back to life
-- ---------------------------------------------------------------------------------------------

CREATE FUNCTION is_erased(account text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  found_status text;
BEGIN
  -- Locked as a foreign key would: an erasure under way is waited for, and one that comes now waits for us.
  SELECT status INTO found_status FROM users WHERE id = account FOR KEY SHARE;
  RETURN coalesce(found_status = 'DELETED', false);
END
$$;
COMMENT ON FUNCTION is_erased(text) IS 'Whether an account was erased; none is until the end of the transaction that asks.';

CREATE FUNCTION refuse_for_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_erased(to_jsonb(NEW) ->> TG_ARGV[0]) THEN
    RAISE EXCEPTION 'the account was erased' USING ERRCODE = 'QR410';
  END IF;
  RETURN NEW;
END
$$;
COMMENT ON FUNCTION refuse_for_erased() IS 'Refuses a row of an account that was erased while its request was under way.';

CREATE FUNCTION skip_for_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_erased(NEW.user_id) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END
$$;
COMMENT ON FUNCTION skip_for_erased() IS 'Leaves out a row for an account that was erased: there is nobody to tell.';

CREATE FUNCTION forget_erased_scanner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_erased(NEW.scanner_id) THEN
    NEW.scanner_id := NULL;
  END IF;
  RETURN NEW;
END
$$;
COMMENT ON FUNCTION forget_erased_scanner() IS 'Stores a scan without its scanner where that account was erased meanwhile.';

CREATE FUNCTION refuse_revival() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an erased account stays erased' USING ERRCODE = 'check_violation';
END
$$;
COMMENT ON FUNCTION refuse_revival() IS 'Keeps an account that was erased from having another status again.';

CREATE TRIGGER sessions_of_living BEFORE INSERT ON sessions
  FOR EACH ROW EXECUTE FUNCTION refuse_for_erased('user_id');
COMMENT ON TRIGGER sessions_of_living ON sessions IS 'A log-in that an erasure overtook opens nothing.';
CREATE TRIGGER qr_codes_of_living BEFORE INSERT ON qr_codes
  FOR EACH ROW EXECUTE FUNCTION refuse_for_erased('owner_id');
COMMENT ON TRIGGER qr_codes_of_living ON qr_codes IS 'A creation that an erasure overtook makes nothing.';
CREATE TRIGGER memory_tags_of_living BEFORE INSERT ON memory_tags
  FOR EACH ROW EXECUTE FUNCTION refuse_for_erased('owner_id');
COMMENT ON TRIGGER memory_tags_of_living ON memory_tags IS 'A creation that an erasure overtook makes nothing.';
CREATE TRIGGER data_exports_of_living BEFORE INSERT ON data_exports
  FOR EACH ROW EXECUTE FUNCTION refuse_for_erased('user_id');
COMMENT ON TRIGGER data_exports_of_living ON data_exports IS 'An export that an erasure overtook is not made.';
CREATE TRIGGER idempotency_keys_of_living BEFORE INSERT ON idempotency_keys
  FOR EACH ROW WHEN (length(NEW.who) = 24) EXECUTE FUNCTION refuse_for_erased('who');
COMMENT ON TRIGGER idempotency_keys_of_living ON idempotency_keys IS 'The answer to a request that an erasure overtook is not kept.';
CREATE TRIGGER notifications_of_living BEFORE INSERT ON notifications
  FOR EACH ROW EXECUTE FUNCTION skip_for_erased();
COMMENT ON TRIGGER notifications_of_living ON notifications IS 'Nobody is told of what happens after an erasure.';
CREATE TRIGGER password_resets_of_living BEFORE INSERT ON password_resets
  FOR EACH ROW EXECUTE FUNCTION skip_for_erased();
COMMENT ON TRIGGER password_resets_of_living ON password_resets IS 'No link leads back into an erased account.';
CREATE TRIGGER scans_by_living BEFORE INSERT ON scans
  FOR EACH ROW WHEN (NEW.scanner_id IS NOT NULL) EXECUTE FUNCTION forget_erased_scanner();
COMMENT ON TRIGGER scans_by_living ON scans IS 'A scan that an erasure overtook names no scanner.';
CREATE TRIGGER users_erased_for_good BEFORE UPDATE ON users
  FOR EACH ROW WHEN (OLD.status = 'DELETED' AND NEW.status <> 'DELETED') EXECUTE FUNCTION refuse_revival();
COMMENT ON TRIGGER users_erased_for_good ON users IS 'An erased account stays erased.';
