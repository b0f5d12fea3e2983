-- Caretakers: other people of the service who help with a memory tag.

CREATE TABLE memory_tag_caretakers (
  id            text COLLATE "C" NOT NULL,
  memory_tag_id text COLLATE "C" NOT NULL,
  owner_id      text COLLATE "C" NOT NULL,
  user_id       text COLLATE "C",
  email         bytea NOT NULL,
  email_hash    bytea NOT NULL,
  opened_at     timestamptz(3),
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT memory_tag_caretakers_pkey PRIMARY KEY (id),
  CONSTRAINT memory_tag_caretakers_memory_tag_id_fkey FOREIGN KEY (memory_tag_id) REFERENCES memory_tags (id) ON DELETE CASCADE,
  CONSTRAINT memory_tag_caretakers_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT memory_tag_caretakers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT memory_tag_caretakers_email_key UNIQUE (memory_tag_id, email_hash),
  CONSTRAINT memory_tag_caretakers_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT memory_tag_caretakers_other_person CHECK (user_id <> owner_id)
);
COMMENT ON TABLE memory_tag_caretakers IS 'Whom an owner lets help with a memory tag, by an address that may or may not have an account.';
COMMENT ON COLUMN memory_tag_caretakers.id IS 'Record id.';
COMMENT ON COLUMN memory_tag_caretakers.memory_tag_id IS 'The memory tag.';
COMMENT ON COLUMN memory_tag_caretakers.owner_id IS 'Who keeps the memory tag.';
COMMENT ON COLUMN memory_tag_caretakers.user_id IS 'The account of the address; null as long as none of it has asked for what it cares for.';
COMMENT ON COLUMN memory_tag_caretakers.email IS 'The address that the owner gave, encrypted.';
COMMENT ON COLUMN memory_tag_caretakers.email_hash IS 'Keyed hash of the address.';
COMMENT ON COLUMN memory_tag_caretakers.opened_at IS 'When the caretaker first opened the memory tag: from then on they are reminded of its days.';
COMMENT ON COLUMN memory_tag_caretakers.created_at IS 'When the row was made.';
COMMENT ON CONSTRAINT memory_tag_caretakers_pkey ON memory_tag_caretakers IS 'One row a record id.';
COMMENT ON CONSTRAINT memory_tag_caretakers_memory_tag_id_fkey ON memory_tag_caretakers IS 'With the memory tag.';
COMMENT ON CONSTRAINT memory_tag_caretakers_owner_id_fkey ON memory_tag_caretakers IS 'With its owner.';
COMMENT ON CONSTRAINT memory_tag_caretakers_user_id_fkey ON memory_tag_caretakers IS 'With the caretaker.';
COMMENT ON CONSTRAINT memory_tag_caretakers_email_key ON memory_tag_caretakers IS 'An address is named once for a memory tag.';
COMMENT ON CONSTRAINT memory_tag_caretakers_id_shape ON memory_tag_caretakers IS 'A record id: 24 hexadecimal digits.';
COMMENT ON CONSTRAINT memory_tag_caretakers_other_person ON memory_tag_caretakers IS 'Owners need no leave.';
CREATE INDEX memory_tag_caretakers_user_id_idx ON memory_tag_caretakers (user_id, created_at DESC, id DESC);
COMMENT ON INDEX memory_tag_caretakers_user_id_idx IS 'Serves: what a person cares for, newest first, and the erasure of an account.';
CREATE INDEX memory_tag_caretakers_owner_id_idx ON memory_tag_caretakers (owner_id, id);
COMMENT ON INDEX memory_tag_caretakers_owner_id_idx IS 'Serves: the erasure of an account.';
CREATE INDEX memory_tag_caretakers_unlinked_idx ON memory_tag_caretakers (email_hash) WHERE user_id IS NULL;
COMMENT ON INDEX memory_tag_caretakers_unlinked_idx IS 'Serves: what waits for the account of an address.';
CREATE TRIGGER memory_tag_caretakers_of_living BEFORE INSERT ON memory_tag_caretakers
  FOR EACH ROW EXECUTE FUNCTION refuse_for_erased('owner_id');
COMMENT ON TRIGGER memory_tag_caretakers_of_living ON memory_tag_caretakers IS 'Nothing new is kept of an erased account.';

CREATE FUNCTION forget_told_caretaker() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM notifications WHERE user_id = OLD.user_id AND data ->> 'memoryTagId' = OLD.memory_tag_id;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION forget_told_caretaker() IS 'Takes what a caretaker was told of a memory tag with their right: it names who is remembered.';
CREATE TRIGGER memory_tag_caretakers_told AFTER DELETE ON memory_tag_caretakers
  FOR EACH ROW WHEN (OLD.user_id IS NOT NULL) EXECUTE FUNCTION forget_told_caretaker();
COMMENT ON TRIGGER memory_tag_caretakers_told ON memory_tag_caretakers IS 'Whoever no longer helps, or with what is deleted or erased, keeps nothing of it.';

CREATE VIEW reporting.memory_tags WITH (security_barrier) AS
SELECT tag.id, tag.owner_id, tag.qr_code_id AS code_id, tag.subject, tag.guest_book_open,
       (SELECT count(*) FROM guest_book_entries WHERE memory_tag_id = tag.id) AS entries,
       (SELECT count(*) FROM guest_book_entries WHERE memory_tag_id = tag.id AND state = 'APPROVED') AS approved_entries,
       (SELECT count(*) FROM memory_tag_caretakers WHERE memory_tag_id = tag.id) AS caretakers,
       tag.created_at
FROM memory_tags AS tag;
COMMENT ON VIEW reporting.memory_tags IS 'Memorials of people and animals, without names and stories.';
COMMENT ON COLUMN reporting.memory_tags.id IS 'Record id.';
COMMENT ON COLUMN reporting.memory_tags.owner_id IS 'Who keeps it: id in people.';
COMMENT ON COLUMN reporting.memory_tags.code_id IS 'The code on the stone: id in codes; null where there is none.';
COMMENT ON COLUMN reporting.memory_tags.subject IS 'PERSON or ANIMAL.';
COMMENT ON COLUMN reporting.memory_tags.guest_book_open IS 'Whether it has a guest book.';
COMMENT ON COLUMN reporting.memory_tags.entries IS 'What visitors wrote in its guest book.';
COMMENT ON COLUMN reporting.memory_tags.approved_entries IS 'What of it visitors see.';
COMMENT ON COLUMN reporting.memory_tags.caretakers IS 'Addresses that were named as caretakers.';
COMMENT ON COLUMN reporting.memory_tags.created_at IS 'When it was made.';
