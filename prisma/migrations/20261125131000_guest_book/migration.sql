-- Guest books of memory tags: visitors write, whoever keeps the tag decides what is shown.

ALTER TABLE memory_tags ADD COLUMN guest_book_open boolean NOT NULL DEFAULT true;
COMMENT ON COLUMN memory_tags.guest_book_open IS 'Whether visitors can write in its guest book, and see it.';

CREATE TABLE guest_book_entries (
  id            text COLLATE "C" NOT NULL,
  memory_tag_id text COLLATE "C" NOT NULL,
  owner_id      text COLLATE "C" NOT NULL,
  content       bytea NOT NULL,
  state         text NOT NULL DEFAULT 'PENDING',
  decided_at    timestamptz(3),
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT guest_book_entries_pkey PRIMARY KEY (id),
  CONSTRAINT guest_book_entries_memory_tag_id_fkey FOREIGN KEY (memory_tag_id) REFERENCES memory_tags (id) ON DELETE CASCADE,
  CONSTRAINT guest_book_entries_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT guest_book_entries_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT guest_book_entries_state_known CHECK (state IN ('PENDING', 'APPROVED', 'HIDDEN')),
  CONSTRAINT guest_book_entries_decision_whole CHECK ((state = 'PENDING') = (decided_at IS NULL))
);
COMMENT ON TABLE guest_book_entries IS 'What visitors wrote in the guest books of memory tags; gone with these.';
COMMENT ON COLUMN guest_book_entries.id IS 'Record id.';
COMMENT ON COLUMN guest_book_entries.memory_tag_id IS 'The memory tag.';
COMMENT ON COLUMN guest_book_entries.owner_id IS 'Who keeps the memory tag.';
COMMENT ON COLUMN guest_book_entries.content IS 'What the visitor wrote, and what they call themselves, encrypted.';
COMMENT ON COLUMN guest_book_entries.state IS 'PENDING until somebody decides, APPROVED: visitors see it, or HIDDEN.';
COMMENT ON COLUMN guest_book_entries.decided_at IS 'When it was last decided about; who did is in the audit trail.';
COMMENT ON COLUMN guest_book_entries.created_at IS 'When it was written.';
COMMENT ON CONSTRAINT guest_book_entries_pkey ON guest_book_entries IS 'One row a record id.';
COMMENT ON CONSTRAINT guest_book_entries_memory_tag_id_fkey ON guest_book_entries IS 'With its memory tag.';
COMMENT ON CONSTRAINT guest_book_entries_owner_id_fkey ON guest_book_entries IS 'With whoever keeps the memory tag.';
COMMENT ON CONSTRAINT guest_book_entries_id_shape ON guest_book_entries IS 'A record id: 24 hexadecimal digits.';
COMMENT ON CONSTRAINT guest_book_entries_state_known ON guest_book_entries IS 'PENDING, APPROVED or HIDDEN.';
COMMENT ON CONSTRAINT guest_book_entries_decision_whole ON guest_book_entries IS 'What is decided says when.';
CREATE INDEX guest_book_entries_memory_tag_id_idx ON guest_book_entries (memory_tag_id, created_at DESC, id DESC);
COMMENT ON INDEX guest_book_entries_memory_tag_id_idx IS 'Serves: a guest book, newest first.';
CREATE INDEX guest_book_entries_state_idx ON guest_book_entries (memory_tag_id, state, created_at DESC, id DESC);
COMMENT ON INDEX guest_book_entries_state_idx IS 'Serves: what of a guest book is shown, and what waits for a decision.';
CREATE INDEX guest_book_entries_owner_id_idx ON guest_book_entries (owner_id, id);
COMMENT ON INDEX guest_book_entries_owner_id_idx IS 'Serves: the erasure of an account.';
CREATE TRIGGER guest_book_entries_of_living BEFORE INSERT ON guest_book_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_for_erased('owner_id');
COMMENT ON TRIGGER guest_book_entries_of_living ON guest_book_entries IS 'Nothing new is kept of an erased account.';
