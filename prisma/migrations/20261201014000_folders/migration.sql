CREATE TABLE folders (
  account_id text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  name       text NOT NULL,
  color      text COLLATE "C" NOT NULL DEFAULT 'GRAY',
  version    integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  CONSTRAINT folders_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT folders_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE,
  CONSTRAINT folders_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT folders_name_length CHECK (char_length(name) BETWEEN 1 AND 60),
  CONSTRAINT folders_color_known CHECK (color IN ('GRAY', 'RED', 'ORANGE', 'YELLOW', 'GREEN', 'TEAL', 'BLUE', 'PURPLE', 'PINK'))
);
COMMENT ON TABLE folders IS 'Folders that an account sorts its codes into. There are none within others.';
COMMENT ON COLUMN folders.account_id IS 'Whose codes it has.';
COMMENT ON COLUMN folders.id IS 'Record id.';
COMMENT ON COLUMN folders.name IS 'What the account calls it.';
COMMENT ON COLUMN folders.color IS 'Color of its label.';
COMMENT ON COLUMN folders.version IS 'Incremented by each update, for If-Match.';
COMMENT ON COLUMN folders.created_at IS 'When it was created.';
COMMENT ON COLUMN folders.updated_at IS 'When it was last changed.';
COMMENT ON COLUMN folders.deleted_at IS 'When it was deleted; it can be restored for a day, with its codes. Null for one that is listed.';
COMMENT ON CONSTRAINT folders_pkey ON folders IS 'One row a record id.';
COMMENT ON CONSTRAINT folders_account_id_fkey ON folders IS 'Deleted with its account.';
COMMENT ON CONSTRAINT folders_id_shape ON folders IS '24 hexadecimal digits.';
COMMENT ON CONSTRAINT folders_name_length ON folders IS '1 to 60 characters.';
COMMENT ON CONSTRAINT folders_color_known ON folders IS 'One of the colors of labels.';
CREATE UNIQUE INDEX folders_name_key ON folders (account_id, lower(name)) WHERE deleted_at IS NULL;
COMMENT ON INDEX folders_name_key IS 'No two folders of an account have one name. Serves: rows of an import, which name their folder.';
CREATE INDEX folders_deleted_at_idx ON folders (deleted_at) WHERE deleted_at IS NOT NULL;
COMMENT ON INDEX folders_deleted_at_idx IS 'Serves: clean-up.';
CREATE TRIGGER folders_erasure_guard BEFORE INSERT ON folders
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('account_id');
COMMENT ON TRIGGER folders_erasure_guard ON folders IS 'No folder is stored for an erased account.';

ALTER TABLE qr_codes ADD COLUMN folder_id text COLLATE "C";
COMMENT ON COLUMN qr_codes.folder_id IS 'Folder of the account that it is in. Null for none. In a deleted folder it counts as in none.';
-- Every row has NULL, so that the check of the next migrations finds nothing; here it would block scans while it reads.
ALTER TABLE qr_codes ADD CONSTRAINT qr_codes_folder_fkey
  FOREIGN KEY (account_id, folder_id) REFERENCES folders (account_id, id) NOT VALID;
COMMENT ON CONSTRAINT qr_codes_folder_fkey ON qr_codes IS 'A folder of the same account. It is removed once no code is in it.';
