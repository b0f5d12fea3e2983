-- Compatible with earlier versions: yes
-- What members of an organization write for one another beside a conversation. The finder never sees it.
CREATE TABLE conversation_notes (
  account_id      text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  conversation_id text COLLATE "C" NOT NULL,
  author_id       text COLLATE "C",
  content         bytea NOT NULL,
  version         integer NOT NULL DEFAULT 1,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  updated_at      timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT conversation_notes_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT conversation_notes_id_key UNIQUE (id),
  CONSTRAINT conversation_notes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE,
  CONSTRAINT conversation_notes_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE,
  CONSTRAINT conversation_notes_author_id_fkey FOREIGN KEY (author_id) REFERENCES users (id) ON DELETE SET NULL,
  CONSTRAINT conversation_notes_id_shape CHECK (id ~ '^[0-9a-f]{24}$')
);
COMMENT ON TABLE conversation_notes IS 'Notes of the owner''s side about a conversation, which the finder never sees.';
COMMENT ON COLUMN conversation_notes.account_id IS 'The account that the conversation belongs to.';
COMMENT ON COLUMN conversation_notes.id IS 'Record id.';
COMMENT ON COLUMN conversation_notes.conversation_id IS 'The conversation.';
COMMENT ON COLUMN conversation_notes.author_id IS 'The user who wrote it; null once they are erased.';
COMMENT ON COLUMN conversation_notes.content IS 'The text, encrypted.';
COMMENT ON COLUMN conversation_notes.version IS 'Counts changes of the text.';
COMMENT ON COLUMN conversation_notes.created_at IS 'When it was written.';
COMMENT ON COLUMN conversation_notes.updated_at IS 'When the text was last changed.';
COMMENT ON CONSTRAINT conversation_notes_pkey ON conversation_notes IS 'One row a record id.';
COMMENT ON CONSTRAINT conversation_notes_id_key ON conversation_notes IS 'The rotation of keys walks along it.';
COMMENT ON CONSTRAINT conversation_notes_account_id_fkey ON conversation_notes IS 'With its account.';
COMMENT ON CONSTRAINT conversation_notes_conversation_id_fkey ON conversation_notes IS 'With its conversation.';
COMMENT ON CONSTRAINT conversation_notes_author_id_fkey ON conversation_notes IS 'Rows of users are deleted only before the address is confirmed.';
COMMENT ON CONSTRAINT conversation_notes_id_shape ON conversation_notes IS '24 hexadecimal digits.';
CREATE INDEX conversation_notes_conversation_id_idx ON conversation_notes (conversation_id, created_at DESC, id DESC);
COMMENT ON INDEX conversation_notes_conversation_id_idx IS 'Serves: the notes of a conversation, newest first, and its deletion.';
CREATE INDEX conversation_notes_author_id_idx ON conversation_notes (author_id) WHERE author_id IS NOT NULL;
COMMENT ON INDEX conversation_notes_author_id_idx IS 'Serves: the erasure and the deletion of a user.';
