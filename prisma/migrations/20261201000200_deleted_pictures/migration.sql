-- Compatible with earlier versions: yes
CREATE TABLE deleted_pictures (
  id            text COLLATE "C" NOT NULL,
  memory_tag_id text COLLATE "C",
  qr_code_id    text COLLATE "C",
  account_id    text COLLATE "C" NOT NULL,
  file_id       text COLLATE "C" NOT NULL,
  format        text NOT NULL,
  width         integer NOT NULL,
  height        integer NOT NULL,
  size          integer NOT NULL,
  position      integer NOT NULL,
  caption       text,
  version       integer NOT NULL,
  created_at    timestamptz(3) NOT NULL,
  deleted_at    timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT deleted_pictures_pkey PRIMARY KEY (id),
  CONSTRAINT deleted_pictures_memory_tag_id_fkey FOREIGN KEY (memory_tag_id) REFERENCES memory_tags (id) ON DELETE CASCADE,
  CONSTRAINT deleted_pictures_qr_code_id_fkey FOREIGN KEY (qr_code_id) REFERENCES qr_codes (id) ON DELETE CASCADE,
  CONSTRAINT deleted_pictures_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE,
  CONSTRAINT deleted_pictures_file_id_fkey FOREIGN KEY (file_id) REFERENCES stored_files (id) ON DELETE CASCADE,
  CONSTRAINT deleted_pictures_file_id_key UNIQUE (file_id),
  CONSTRAINT deleted_pictures_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT deleted_pictures_single_gallery CHECK ((memory_tag_id IS NULL) <> (qr_code_id IS NULL))
);
COMMENT ON TABLE deleted_pictures IS 'Pictures that were deleted, and can be restored for a day.';
COMMENT ON COLUMN deleted_pictures.id IS 'Record id, as it was in pictures.';
COMMENT ON COLUMN deleted_pictures.memory_tag_id IS 'The memory tag; null for a picture of a code.';
COMMENT ON COLUMN deleted_pictures.qr_code_id IS 'The code; null for a picture of a memory tag.';
COMMENT ON COLUMN deleted_pictures.account_id IS 'The owner of the memory tag or code, towards whose storage it counts.';
COMMENT ON COLUMN deleted_pictures.file_id IS 'The private file.';
COMMENT ON COLUMN deleted_pictures.format IS 'Of the file: jpeg or webp.';
COMMENT ON COLUMN deleted_pictures.width IS 'Its width in pixels.';
COMMENT ON COLUMN deleted_pictures.height IS 'Its height in pixels.';
COMMENT ON COLUMN deleted_pictures.size IS 'Its bytes.';
COMMENT ON COLUMN deleted_pictures.position IS 'Where it was among the pictures of the memory tag or code.';
COMMENT ON COLUMN deleted_pictures.caption IS 'Its description; null if it has none.';
COMMENT ON COLUMN deleted_pictures.version IS 'Its version when it was deleted.';
COMMENT ON COLUMN deleted_pictures.created_at IS 'When it was added.';
COMMENT ON COLUMN deleted_pictures.deleted_at IS 'When it was deleted.';
COMMENT ON CONSTRAINT deleted_pictures_pkey ON deleted_pictures IS 'One row a record id.';
COMMENT ON CONSTRAINT deleted_pictures_memory_tag_id_fkey ON deleted_pictures IS 'Deleted with its memory tag.';
COMMENT ON CONSTRAINT deleted_pictures_qr_code_id_fkey ON deleted_pictures IS 'Deleted with its code.';
COMMENT ON CONSTRAINT deleted_pictures_account_id_fkey ON deleted_pictures IS 'Deleted with its account.';
COMMENT ON CONSTRAINT deleted_pictures_file_id_fkey ON deleted_pictures IS 'Gone with its private file.';
COMMENT ON CONSTRAINT deleted_pictures_file_id_key ON deleted_pictures IS 'A file is of one picture.';
COMMENT ON CONSTRAINT deleted_pictures_id_shape ON deleted_pictures IS '24 hexadecimal digits.';
COMMENT ON CONSTRAINT deleted_pictures_single_gallery ON deleted_pictures IS 'A picture is of a memory tag or of a code.';
CREATE TRIGGER deleted_pictures_erasure_guard BEFORE INSERT ON deleted_pictures
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('account_id');
COMMENT ON TRIGGER deleted_pictures_erasure_guard ON deleted_pictures IS 'No picture is stored for an erased account.';
CREATE INDEX deleted_pictures_memory_tag_id_idx ON deleted_pictures (memory_tag_id) WHERE memory_tag_id IS NOT NULL;
COMMENT ON INDEX deleted_pictures_memory_tag_id_idx IS 'Serves: the deletion of a memory tag.';
CREATE INDEX deleted_pictures_qr_code_id_idx ON deleted_pictures (qr_code_id) WHERE qr_code_id IS NOT NULL;
COMMENT ON INDEX deleted_pictures_qr_code_id_idx IS 'Serves: the purge of a code.';
CREATE INDEX deleted_pictures_account_id_idx ON deleted_pictures (account_id, id);
COMMENT ON INDEX deleted_pictures_account_id_idx IS 'Serves: the storage of an account, and its erasure.';
CREATE INDEX deleted_pictures_deleted_at_idx ON deleted_pictures (deleted_at, id);
COMMENT ON INDEX deleted_pictures_deleted_at_idx IS 'Serves: deleted pictures whose time is over.';
