-- Private files: what is known of each, and the key that opens it. The bytes are in the file store.

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
  CONSTRAINT stored_files_removed_is_closed CHECK ((state = 'REMOVED') = (file_key IS NULL) AND (state = 'REMOVED') = (removed_at IS NOT NULL)),
  CONSTRAINT stored_files_stored_is_whole CHECK (state <> 'STORED' OR size IS NOT NULL AND stored_at IS NOT NULL),
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
COMMENT ON CONSTRAINT stored_files_owner_id_fkey ON stored_files IS 'A person, also one whose account was erased.';
COMMENT ON CONSTRAINT stored_files_name_key ON stored_files IS 'A file belongs to one row.';
COMMENT ON CONSTRAINT stored_files_id_shape ON stored_files IS 'A record id: 24 hexadecimal digits.';
COMMENT ON CONSTRAINT stored_files_name_shape ON stored_files IS '32 lower-case letters and digits.';
COMMENT ON CONSTRAINT stored_files_state_known ON stored_files IS 'One of the three.';
COMMENT ON CONSTRAINT stored_files_removed_is_closed ON stored_files IS 'What is removed has no key, and a time of its removal.';
COMMENT ON CONSTRAINT stored_files_stored_is_whole ON stored_files IS 'What is stored has a size and a time.';
COMMENT ON CONSTRAINT stored_files_size_not_negative ON stored_files IS 'A number of bytes.';
CREATE INDEX stored_files_owner_id_idx ON stored_files (owner_id) INCLUDE (size) WHERE state = 'STORED';
COMMENT ON INDEX stored_files_owner_id_idx IS 'Serves: how much an owner has stored, and the erasure of an account.';
CREATE INDEX stored_files_left_over_idx ON stored_files (created_at) WHERE state <> 'STORED';
COMMENT ON INDEX stored_files_left_over_idx IS 'Serves: clean-up of what nothing names.';
CREATE TRIGGER stored_files_of_living BEFORE INSERT ON stored_files
  FOR EACH ROW EXECUTE FUNCTION refuse_for_erased('owner_id');
COMMENT ON TRIGGER stored_files_of_living ON stored_files IS 'An upload that an erasure overtook stores nothing.';
