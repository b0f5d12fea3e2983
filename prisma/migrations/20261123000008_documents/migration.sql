-- Private files, and documents with their versions, share links, grants and accesses.

CREATE TABLE stored_files (
  id         text COLLATE "C" NOT NULL,
  owner_id   text COLLATE "C" NOT NULL,
  name       text COLLATE "C" NOT NULL,
  state      text NOT NULL DEFAULT 'WRITING',
  file_key   bytea,
  size       bigint,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  stored_at  timestamptz(3),
  removed_at timestamptz(3),
  CONSTRAINT stored_files_pkey PRIMARY KEY (id),
  CONSTRAINT stored_files_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT stored_files_name_key UNIQUE (name),
  CONSTRAINT stored_files_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT stored_files_name_shape CHECK (name ~ '^[a-z0-9]{32}$'),
  CONSTRAINT stored_files_state_known CHECK (state IN ('WRITING', 'STORED', 'REMOVED')),
  CONSTRAINT stored_files_removed_has_no_key CHECK ((state = 'REMOVED') = (file_key IS NULL) AND (state = 'REMOVED') = (removed_at IS NOT NULL)),
  CONSTRAINT stored_files_stored_complete CHECK (state <> 'STORED' OR size IS NOT NULL AND stored_at IS NOT NULL),
  CONSTRAINT stored_files_size_not_negative CHECK (size >= 0)
);
COMMENT ON TABLE stored_files IS 'Private files. A row is there before its file and until after it, so that none is ever forgotten.';
COMMENT ON COLUMN stored_files.id IS 'Record id.';
COMMENT ON COLUMN stored_files.owner_id IS 'Whose storage it takes.';
COMMENT ON COLUMN stored_files.name IS 'Random name in the file store.';
COMMENT ON COLUMN stored_files.state IS 'WRITING until something names it, STORED, or REMOVED once nothing does: then a job removes the bytes and the row.';
COMMENT ON COLUMN stored_files.file_key IS 'The key of its bytes, encrypted; emptied with the removal, so that nothing opens them from then on.';
COMMENT ON COLUMN stored_files.size IS 'Bytes of the content, before encryption.';
COMMENT ON COLUMN stored_files.created_at IS 'When its writing was begun.';
COMMENT ON COLUMN stored_files.stored_at IS 'When something came to name it.';
COMMENT ON COLUMN stored_files.removed_at IS 'When nothing named it any more.';
COMMENT ON CONSTRAINT stored_files_pkey ON stored_files IS 'One row a record id.';
COMMENT ON CONSTRAINT stored_files_owner_id_fkey ON stored_files IS 'A user, also an erased one.';
COMMENT ON CONSTRAINT stored_files_name_key ON stored_files IS 'A file belongs to one row.';
COMMENT ON CONSTRAINT stored_files_name_shape ON stored_files IS '32 lower-case letters and digits.';
COMMENT ON CONSTRAINT stored_files_state_known ON stored_files IS 'One of the three.';
COMMENT ON CONSTRAINT stored_files_removed_has_no_key ON stored_files IS 'A removed file has no key and has the time of its removal.';
COMMENT ON CONSTRAINT stored_files_stored_complete ON stored_files IS 'What is stored has a size and a time.';
COMMENT ON CONSTRAINT stored_files_size_not_negative ON stored_files IS 'A number of bytes.';
CREATE INDEX stored_files_owner_id_idx ON stored_files (owner_id) INCLUDE (size) WHERE state = 'STORED';
COMMENT ON INDEX stored_files_owner_id_idx IS 'Serves: how much an owner has stored, and the erasure of an account.';
CREATE INDEX stored_files_unreferenced_idx ON stored_files (created_at) WHERE state <> 'STORED';
COMMENT ON INDEX stored_files_unreferenced_idx IS 'Serves: deletion of files that nothing references.';
CREATE TRIGGER stored_files_erasure_guard BEFORE INSERT ON stored_files
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('owner_id');
COMMENT ON TRIGGER stored_files_erasure_guard ON stored_files IS 'No file is stored for an erased account.';

CREATE TABLE documents (
  id              text COLLATE "C" NOT NULL,
  owner_id        text COLLATE "C" NOT NULL,
  title           text NOT NULL,
  kind            text NOT NULL DEFAULT 'OTHER',
  note            bytea,
  expires_on      date,
  current_version integer NOT NULL DEFAULT 1,
  version         integer NOT NULL DEFAULT 1,
  search_text     text NOT NULL GENERATED ALWAYS AS (lower(title)) STORED,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  updated_at      timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT documents_pkey PRIMARY KEY (id),
  CONSTRAINT documents_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT documents_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT documents_title_bounded CHECK (length(title) BETWEEN 1 AND 200),
  CONSTRAINT documents_kind_known CHECK (kind IN ('PASSPORT', 'IDENTITY', 'CERTIFICATE', 'CONTRACT', 'INSURANCE', 'HEALTH', 'FINANCE', 'VEHICLE', 'OTHER')),
  CONSTRAINT documents_version_positive CHECK (current_version >= 1 AND version >= 1)
);
COMMENT ON TABLE documents IS 'Documents of users: titles, and the versions of their files.';
COMMENT ON COLUMN documents.id IS 'Record id.';
COMMENT ON COLUMN documents.owner_id IS 'Whose it is.';
COMMENT ON COLUMN documents.title IS 'What the owner calls it; in clear, so that it can be searched.';
COMMENT ON COLUMN documents.kind IS 'What it is: PASSPORT, IDENTITY, CERTIFICATE, CONTRACT, INSURANCE, HEALTH, FINANCE, VEHICLE or OTHER.';
COMMENT ON COLUMN documents.note IS 'The owner’s own note, encrypted; null where there is none.';
COMMENT ON COLUMN documents.expires_on IS 'The last day that it is valid, as printed on it; null where it is valid for good or nobody said.';
COMMENT ON COLUMN documents.current_version IS 'Number of the newest version of its file.';
COMMENT ON COLUMN documents.version IS 'Counts the changes of this row, for If-Match.';
COMMENT ON COLUMN documents.search_text IS 'The title in lower case, for the search.';
COMMENT ON COLUMN documents.created_at IS 'When it was made.';
COMMENT ON COLUMN documents.updated_at IS 'When it was last changed.';
COMMENT ON CONSTRAINT documents_pkey ON documents IS 'One row a record id.';
COMMENT ON CONSTRAINT documents_owner_id_fkey ON documents IS 'A user.';
COMMENT ON CONSTRAINT documents_title_bounded ON documents IS '1 to 200 characters.';
COMMENT ON CONSTRAINT documents_kind_known ON documents IS 'One of the nine.';
COMMENT ON CONSTRAINT documents_version_positive ON documents IS 'Counted from one.';
CREATE INDEX documents_owner_id_idx ON documents (owner_id, created_at DESC, id DESC);
COMMENT ON INDEX documents_owner_id_idx IS 'Serves: a user’s documents, newest first, and the erasure of an account.';
CREATE INDEX documents_search_idx ON documents USING gin (owner_id, search_text gin_trgm_ops);
COMMENT ON INDEX documents_search_idx IS 'Serves: the search among a user’s documents.';
CREATE INDEX documents_expires_on_idx ON documents (expires_on) WHERE expires_on IS NOT NULL;
COMMENT ON INDEX documents_expires_on_idx IS 'Serves: notifying owners of documents that expire soon.';
CREATE TRIGGER documents_erasure_guard BEFORE INSERT ON documents
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('owner_id');
COMMENT ON TRIGGER documents_erasure_guard ON documents IS 'No row is stored for an erased account.';

CREATE TABLE document_versions (
  id            text COLLATE "C" NOT NULL,
  document_id   text COLLATE "C" NOT NULL,
  owner_id      text COLLATE "C" NOT NULL,
  number        integer NOT NULL,
  file_id       text COLLATE "C" NOT NULL,
  file_name     bytea NOT NULL,
  content_type  text NOT NULL,
  size          bigint NOT NULL,
  malware_check text NOT NULL DEFAULT 'NOT_CHECKED',
  checked_at    timestamptz(3),
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT document_versions_pkey PRIMARY KEY (id),
  CONSTRAINT document_versions_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE,
  CONSTRAINT document_versions_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT document_versions_file_id_fkey FOREIGN KEY (file_id) REFERENCES stored_files (id) ON DELETE RESTRICT,
  CONSTRAINT document_versions_file_id_key UNIQUE (file_id),
  CONSTRAINT document_versions_number_key UNIQUE (document_id, number),
  CONSTRAINT document_versions_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT document_versions_number_positive CHECK (number >= 1),
  CONSTRAINT document_versions_size_not_negative CHECK (size >= 0),
  CONSTRAINT document_versions_malware_check_known CHECK (malware_check IN ('CLEAN', 'WAITING', 'NOT_CHECKED')),
  CONSTRAINT document_versions_checked_when_clean CHECK ((malware_check = 'CLEAN') = (checked_at IS NOT NULL))
);
COMMENT ON TABLE document_versions IS 'The files of a document, each as it was uploaded; the newest is what is read.';
COMMENT ON COLUMN document_versions.id IS 'Record id.';
COMMENT ON COLUMN document_versions.document_id IS 'The document.';
COMMENT ON COLUMN document_versions.owner_id IS 'Whose it is.';
COMMENT ON COLUMN document_versions.number IS 'Counted from one within the document.';
COMMENT ON COLUMN document_versions.file_id IS 'The file.';
COMMENT ON COLUMN document_versions.file_name IS 'The name that it was uploaded under, encrypted.';
COMMENT ON COLUMN document_versions.content_type IS 'What its content is (a media type), by the content and not by the name.';
COMMENT ON COLUMN document_versions.size IS 'Bytes of the content.';
COMMENT ON COLUMN document_versions.malware_check IS 'CLEAN, WAITING while nobody reads it, or NOT_CHECKED where nothing checks.';
COMMENT ON COLUMN document_versions.checked_at IS 'When it was found clean; null where it was not looked at.';
COMMENT ON COLUMN document_versions.created_at IS 'When it was uploaded.';
COMMENT ON CONSTRAINT document_versions_pkey ON document_versions IS 'One row a record id.';
COMMENT ON CONSTRAINT document_versions_document_id_fkey ON document_versions IS 'With its document.';
COMMENT ON CONSTRAINT document_versions_owner_id_fkey ON document_versions IS 'A user.';
COMMENT ON CONSTRAINT document_versions_file_id_fkey ON document_versions IS 'A file that something names stays.';
COMMENT ON CONSTRAINT document_versions_file_id_key ON document_versions IS 'A file belongs to one version.';
COMMENT ON CONSTRAINT document_versions_number_key ON document_versions IS 'One version a number.';
COMMENT ON CONSTRAINT document_versions_number_positive ON document_versions IS 'Counted from one.';
COMMENT ON CONSTRAINT document_versions_size_not_negative ON document_versions IS 'A number of bytes.';
COMMENT ON CONSTRAINT document_versions_malware_check_known ON document_versions IS 'One of the three.';
COMMENT ON CONSTRAINT document_versions_checked_when_clean ON document_versions IS 'What was found clean was so at a time.';
CREATE INDEX document_versions_owner_id_idx ON document_versions (owner_id, id);
COMMENT ON INDEX document_versions_owner_id_idx IS 'Serves: the erasure of an account, and its export.';
CREATE INDEX document_versions_waiting_idx ON document_versions (created_at) WHERE malware_check = 'WAITING';
COMMENT ON INDEX document_versions_waiting_idx IS 'Serves: checking what waits for it.';
CREATE TRIGGER document_versions_erasure_guard BEFORE INSERT ON document_versions
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('owner_id');
COMMENT ON TRIGGER document_versions_erasure_guard ON document_versions IS 'No row is stored for an erased account.';

CREATE TABLE document_shares (
  id             text COLLATE "C" NOT NULL,
  document_id    text COLLATE "C" NOT NULL,
  owner_id       text COLLATE "C" NOT NULL,
  qr_code_id     text COLLATE "C",
  token_hash     bytea NOT NULL,
  passcode_hash  text,
  max_views      integer,
  views          integer NOT NULL DEFAULT 0,
  last_opened_at timestamptz(3),
  expires_at     timestamptz(3),
  ended_at       timestamptz(3),
  created_at     timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT document_shares_pkey PRIMARY KEY (id),
  CONSTRAINT document_shares_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE,
  CONSTRAINT document_shares_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT document_shares_qr_code_id_fkey FOREIGN KEY (qr_code_id) REFERENCES qr_codes (id) ON DELETE SET NULL,
  CONSTRAINT document_shares_token_hash_key UNIQUE (token_hash),
  CONSTRAINT document_shares_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT document_shares_views_bounded CHECK (views >= 0 AND max_views >= 1 AND views <= max_views),
  CONSTRAINT document_shares_opened_when_viewed CHECK ((views = 0) = (last_opened_at IS NULL))
);
COMMENT ON TABLE document_shares IS 'Links that open a document for whoever has them.';
COMMENT ON COLUMN document_shares.id IS 'Record id.';
COMMENT ON COLUMN document_shares.document_id IS 'The document; its newest version is what is read.';
COMMENT ON COLUMN document_shares.owner_id IS 'Whose it is.';
COMMENT ON COLUMN document_shares.qr_code_id IS 'The code whose page offers it; null where there is only the link.';
COMMENT ON COLUMN document_shares.token_hash IS 'Hash of the token in the link.';
COMMENT ON COLUMN document_shares.passcode_hash IS 'bcrypt over a keyed hash; null where none is asked for.';
COMMENT ON COLUMN document_shares.max_views IS 'How often it may be opened; null is without limit.';
COMMENT ON COLUMN document_shares.views IS 'How often it was opened.';
COMMENT ON COLUMN document_shares.last_opened_at IS 'When it was last opened; null where it never was.';
COMMENT ON COLUMN document_shares.expires_at IS 'From when on it opens nothing; null where it does not expire.';
COMMENT ON COLUMN document_shares.ended_at IS 'When the owner ended it; null while it works.';
COMMENT ON COLUMN document_shares.created_at IS 'When it was made.';
COMMENT ON CONSTRAINT document_shares_pkey ON document_shares IS 'One row a record id.';
COMMENT ON CONSTRAINT document_shares_document_id_fkey ON document_shares IS 'With its document.';
COMMENT ON CONSTRAINT document_shares_owner_id_fkey ON document_shares IS 'A user.';
COMMENT ON CONSTRAINT document_shares_qr_code_id_fkey ON document_shares IS 'A code; without it the link remains.';
COMMENT ON CONSTRAINT document_shares_token_hash_key ON document_shares IS 'A token leads to one share.';
COMMENT ON CONSTRAINT document_shares_views_bounded ON document_shares IS 'Never opened more often than it may be.';
COMMENT ON CONSTRAINT document_shares_opened_when_viewed ON document_shares IS 'What was opened was so at a time.';
CREATE INDEX document_shares_document_id_idx ON document_shares (document_id, created_at DESC, id DESC);
COMMENT ON INDEX document_shares_document_id_idx IS 'Serves: the shares of a document, newest first.';
CREATE INDEX document_shares_qr_code_id_idx ON document_shares (qr_code_id) WHERE qr_code_id IS NOT NULL AND ended_at IS NULL;
COMMENT ON INDEX document_shares_qr_code_id_idx IS 'Serves: what the page of a code offers.';
CREATE INDEX document_shares_owner_id_idx ON document_shares (owner_id, id);
COMMENT ON INDEX document_shares_owner_id_idx IS 'Serves: the erasure of an account, and its export.';
CREATE TRIGGER document_shares_erasure_guard BEFORE INSERT ON document_shares
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('owner_id');
COMMENT ON TRIGGER document_shares_erasure_guard ON document_shares IS 'No row is stored for an erased account.';

CREATE TABLE document_grants (
  id          text COLLATE "C" NOT NULL,
  document_id text COLLATE "C" NOT NULL,
  owner_id    text COLLATE "C" NOT NULL,
  email       bytea NOT NULL,
  email_hash  bytea NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT document_grants_pkey PRIMARY KEY (id),
  CONSTRAINT document_grants_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE,
  CONSTRAINT document_grants_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT document_grants_document_id_email_hash_key UNIQUE (document_id, email_hash),
  CONSTRAINT document_grants_id_shape CHECK (id ~ '^[0-9a-f]{24}$')
);
COMMENT ON TABLE document_grants IS 'Documents given to another user of the service to read.';
COMMENT ON COLUMN document_grants.id IS 'Record id.';
COMMENT ON COLUMN document_grants.document_id IS 'The document.';
COMMENT ON COLUMN document_grants.owner_id IS 'Who gives it.';
COMMENT ON COLUMN document_grants.email IS 'The address it was given to, encrypted; the owner sees it.';
COMMENT ON COLUMN document_grants.email_hash IS 'Keyed hash of the address, by which the recipient finds it, also one who registers later.';
COMMENT ON COLUMN document_grants.created_at IS 'When it was given.';
COMMENT ON CONSTRAINT document_grants_pkey ON document_grants IS 'One row a record id.';
COMMENT ON CONSTRAINT document_grants_document_id_fkey ON document_grants IS 'With its document.';
COMMENT ON CONSTRAINT document_grants_owner_id_fkey ON document_grants IS 'A user.';
COMMENT ON CONSTRAINT document_grants_document_id_email_hash_key ON document_grants IS 'Given to an address once.';
CREATE INDEX document_grants_email_hash_idx ON document_grants (email_hash, created_at DESC, id DESC);
COMMENT ON INDEX document_grants_email_hash_idx IS 'Serves: what was given to somebody, newest first.';
CREATE INDEX document_grants_owner_id_idx ON document_grants (owner_id, id);
COMMENT ON INDEX document_grants_owner_id_idx IS 'Serves: the erasure of an account, and its export.';
CREATE TRIGGER document_grants_erasure_guard BEFORE INSERT ON document_grants
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('owner_id');
COMMENT ON TRIGGER document_grants_erasure_guard ON document_grants IS 'No row is stored for an erased account.';

CREATE TABLE document_accesses (
  id             text COLLATE "C" NOT NULL,
  document_id    text COLLATE "C" NOT NULL,
  owner_id       text COLLATE "C" NOT NULL,
  share_id       text COLLATE "C",
  reader_id      text COLLATE "C",
  version_number integer NOT NULL,
  device         text,
  os             text,
  browser        text,
  read_at        timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT document_accesses_pkey PRIMARY KEY (id),
  CONSTRAINT document_accesses_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE,
  CONSTRAINT document_accesses_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT document_accesses_share_id_fkey FOREIGN KEY (share_id) REFERENCES document_shares (id) ON DELETE SET NULL,
  CONSTRAINT document_accesses_reader_id_fkey FOREIGN KEY (reader_id) REFERENCES users (id) ON DELETE SET NULL,
  CONSTRAINT document_accesses_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT document_accesses_single_source CHECK (share_id IS NULL OR reader_id IS NULL)
);
COMMENT ON TABLE document_accesses IS 'Accesses to documents, shown to the owner.';
COMMENT ON COLUMN document_accesses.id IS 'Record id.';
COMMENT ON COLUMN document_accesses.document_id IS 'The document.';
COMMENT ON COLUMN document_accesses.owner_id IS 'Whose it is.';
COMMENT ON COLUMN document_accesses.share_id IS 'The share that it was opened by; null for another way.';
COMMENT ON COLUMN document_accesses.reader_id IS 'The user it was given to; null for a share.';
COMMENT ON COLUMN document_accesses.version_number IS 'Which version was opened.';
COMMENT ON COLUMN document_accesses.device IS 'Kind of device, by its agent.';
COMMENT ON COLUMN document_accesses.os IS 'Its operating system, by its agent.';
COMMENT ON COLUMN document_accesses.browser IS 'Its browser, by its agent.';
COMMENT ON COLUMN document_accesses.read_at IS 'When.';
COMMENT ON CONSTRAINT document_accesses_pkey ON document_accesses IS 'One row a record id.';
COMMENT ON CONSTRAINT document_accesses_document_id_fkey ON document_accesses IS 'With its document.';
COMMENT ON CONSTRAINT document_accesses_owner_id_fkey ON document_accesses IS 'A user.';
COMMENT ON CONSTRAINT document_accesses_share_id_fkey ON document_accesses IS 'A share.';
COMMENT ON CONSTRAINT document_accesses_reader_id_fkey ON document_accesses IS 'A user.';
COMMENT ON CONSTRAINT document_accesses_single_source ON document_accesses IS 'An access is by a share link or by a user, not both.';
CREATE INDEX document_accesses_document_id_idx ON document_accesses (document_id, read_at DESC, id DESC);
COMMENT ON INDEX document_accesses_document_id_idx IS 'Serves: who opened a document, newest first.';
CREATE INDEX document_accesses_share_id_idx ON document_accesses (share_id) WHERE share_id IS NOT NULL;
COMMENT ON INDEX document_accesses_share_id_idx IS 'Serves: who opened a share, and its deletion.';
CREATE INDEX document_accesses_reader_id_idx ON document_accesses (reader_id) WHERE reader_id IS NOT NULL;
COMMENT ON INDEX document_accesses_reader_id_idx IS 'Serves: the deletion of a user.';
CREATE INDEX document_accesses_owner_id_idx ON document_accesses (owner_id, id);
COMMENT ON INDEX document_accesses_owner_id_idx IS 'Serves: the erasure of an account, and its export.';
CREATE TRIGGER document_accesses_erasure_guard BEFORE INSERT ON document_accesses
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('owner_id');
COMMENT ON TRIGGER document_accesses_erasure_guard ON document_accesses IS 'No row is stored for an erased account.';
