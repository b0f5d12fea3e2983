-- Compatible with earlier versions: yes
CREATE TABLE deletions (
  user_id    text COLLATE "C" NOT NULL,
  type       text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  deleted_at timestamptz(3) NOT NULL,
  CONSTRAINT deletions_pkey PRIMARY KEY (user_id, type, id),
  CONSTRAINT deletions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT deletions_type_known CHECK (type IN ('CONVERSATION', 'DOCUMENT', 'MEMORY_TAG')),
  CONSTRAINT deletions_id_shape CHECK (id ~ '^[0-9a-f]{24}$')
);
COMMENT ON TABLE deletions IS 'Deleted records of the last 30 days, for programs that keep a copy. Deleted codes are in qr_codes, deleted notifications in notifications.';
COMMENT ON COLUMN deletions.user_id IS 'Whose record it was.';
COMMENT ON COLUMN deletions.type IS 'CONVERSATION, DOCUMENT or MEMORY_TAG.';
COMMENT ON COLUMN deletions.id IS 'Id of the record.';
COMMENT ON COLUMN deletions.deleted_at IS 'When it was deleted.';
COMMENT ON CONSTRAINT deletions_pkey ON deletions IS 'A record is deleted once.';
COMMENT ON CONSTRAINT deletions_user_id_fkey ON deletions IS 'Deletions go with the account.';
COMMENT ON CONSTRAINT deletions_type_known ON deletions IS 'The types that are deleted for good.';
COMMENT ON CONSTRAINT deletions_id_shape ON deletions IS '24 hexadecimal digits.';
CREATE INDEX deletions_user_id_idx ON deletions (user_id, type, deleted_at, id);
COMMENT ON INDEX deletions_user_id_idx IS 'Serves: a user''s deletions of a type since a time.';
CREATE INDEX deletions_deleted_at_idx ON deletions (deleted_at);
COMMENT ON INDEX deletions_deleted_at_idx IS 'Serves: expired deletions.';
CREATE TRIGGER deletions_erasure_guard BEFORE INSERT ON deletions
  FOR EACH ROW EXECUTE FUNCTION skip_erased_account();
COMMENT ON TRIGGER deletions_erasure_guard ON deletions IS 'Skips a deletion of an account that was erased.';
CREATE INDEX IF NOT EXISTS documents_updated_at_idx ON documents (owner_id, updated_at, id);
COMMENT ON INDEX documents_updated_at_idx IS 'Serves: an owner''s documents that were changed since a time.';
CREATE INDEX IF NOT EXISTS memory_tags_updated_at_idx ON memory_tags (owner_id, updated_at, id);
COMMENT ON INDEX memory_tags_updated_at_idx IS 'Serves: an owner''s memory tags that were changed since a time.';
ALTER TABLE conversations ADD COLUMN IF NOT EXISTS updated_at timestamptz(3) NOT NULL DEFAULT now();
COMMENT ON COLUMN conversations.updated_at IS 'When anything that its owner sees of it was last changed, except messages that are read by the finder.';
CREATE INDEX IF NOT EXISTS conversations_updated_at_idx ON conversations (owner_id, updated_at, id);
COMMENT ON INDEX conversations_updated_at_idx IS 'Serves: an owner''s conversations that were changed since a time.';
CREATE INDEX IF NOT EXISTS notifications_changed_at_idx ON notifications (user_id, greatest(created_at, read_at, dismissed_at), id);
COMMENT ON INDEX notifications_changed_at_idx IS 'Serves: a user''s notifications that were made, read or deleted since a time.';
