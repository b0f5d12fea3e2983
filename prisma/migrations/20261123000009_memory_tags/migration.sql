-- Memory tags: memorials of people and animals, with pictures, a guest book and caretakers.

CREATE TABLE memory_tags (
  id                    text COLLATE "C" NOT NULL,
  owner_id              text COLLATE "C" NOT NULL,
  qr_code_id            text COLLATE "C",
  name                  text NOT NULL,
  subject               text NOT NULL DEFAULT 'PERSON',
  born_on               text COLLATE "C",
  died_on               text COLLATE "C",
  epitaph               text,
  story                 text,
  places                jsonb NOT NULL DEFAULT '[]',
  guest_book_open       boolean NOT NULL DEFAULT true,
  anniversary_reminders boolean NOT NULL DEFAULT true,
  version               integer NOT NULL DEFAULT 1,
  created_at            timestamptz(3) NOT NULL DEFAULT now(),
  updated_at            timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT memory_tags_pkey PRIMARY KEY (id),
  CONSTRAINT memory_tags_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT memory_tags_qr_code_id_fkey FOREIGN KEY (qr_code_id) REFERENCES qr_codes (id) ON DELETE SET NULL,
  CONSTRAINT memory_tags_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT memory_tags_name_bounded CHECK (length(name) BETWEEN 1 AND 200),
  CONSTRAINT memory_tags_born_on_shape CHECK (born_on ~ '^(?!0000)\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$'),
  CONSTRAINT memory_tags_died_on_shape CHECK (died_on ~ '^(?!0000)\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$'),
  CONSTRAINT memory_tags_dates_ordered CHECK (left(born_on, length(died_on)) <= left(died_on, length(born_on))),
  CONSTRAINT memory_tags_subject_known CHECK (subject IN ('PERSON', 'ANIMAL')),
  CONSTRAINT memory_tags_places_bounded CHECK (jsonb_typeof(places) = 'array' AND jsonb_array_length(places) <= 20)
);
COMMENT ON TABLE memory_tags IS 'Memorials of people and animals; each may name a QR code, of kind MEMORY_TAG or any other.';
COMMENT ON COLUMN memory_tags.id IS 'Record id.';
COMMENT ON COLUMN memory_tags.owner_id IS 'Who keeps it.';
COMMENT ON COLUMN memory_tags.qr_code_id IS 'The code on the stone.';
COMMENT ON COLUMN memory_tags.name IS 'Who is remembered.';
COMMENT ON COLUMN memory_tags.subject IS 'Who is remembered: PERSON or ANIMAL.';
COMMENT ON COLUMN memory_tags.born_on IS 'Date of birth as far as it is known: YYYY, YYYY-MM or YYYY-MM-DD; null where it is not.';
COMMENT ON COLUMN memory_tags.died_on IS 'Date of death as far as it is known: YYYY, YYYY-MM or YYYY-MM-DD; null where it is not.';
COMMENT ON COLUMN memory_tags.epitaph IS 'A line for the stone.';
COMMENT ON COLUMN memory_tags.story IS 'A life told.';
COMMENT ON COLUMN memory_tags.places IS 'List of label, and where they are given kind (BIRTH, HOME, DEATH, GRAVE or OTHER), latitude and longitude.';
COMMENT ON COLUMN memory_tags.guest_book_open IS 'Whether visitors can write in its guest book, and see it.';
COMMENT ON COLUMN memory_tags.anniversary_reminders IS 'Whether owner and caretakers are reminded on the days of birth and death.';
COMMENT ON COLUMN memory_tags.version IS 'Grows by one with each change.';
COMMENT ON COLUMN memory_tags.created_at IS 'When the row was made.';
COMMENT ON COLUMN memory_tags.updated_at IS 'When the row was last changed.';
COMMENT ON CONSTRAINT memory_tags_name_bounded ON memory_tags IS 'From 1 to 200 characters.';
COMMENT ON CONSTRAINT memory_tags_born_on_shape ON memory_tags IS 'A year from 1 on, a month or a day of it.';
COMMENT ON CONSTRAINT memory_tags_died_on_shape ON memory_tags IS 'A year from 1 on, a month or a day of it.';
COMMENT ON CONSTRAINT memory_tags_dates_ordered ON memory_tags IS 'Nobody dies before they are born, as far as both are known.';
COMMENT ON CONSTRAINT memory_tags_subject_known ON memory_tags IS 'PERSON or ANIMAL.';
COMMENT ON CONSTRAINT memory_tags_places_bounded ON memory_tags IS 'A list of 20 places at most.';
CREATE INDEX memory_tags_owner_id_idx ON memory_tags (owner_id, created_at DESC, id DESC);
COMMENT ON INDEX memory_tags_owner_id_idx IS 'Serves: a user''s memory tags, newest first.';
CREATE INDEX memory_tags_qr_code_id_idx ON memory_tags (qr_code_id);
COMMENT ON INDEX memory_tags_qr_code_id_idx IS 'Serves: the deletion of a code.';
CREATE INDEX memory_tags_birthday_idx ON memory_tags (substr(born_on, 6), id) WHERE length(born_on) = 10 AND anniversary_reminders;
COMMENT ON INDEX memory_tags_birthday_idx IS 'Serves: whose birthday a day is.';
CREATE INDEX memory_tags_day_of_death_idx ON memory_tags (substr(died_on, 6), id) WHERE length(died_on) = 10 AND anniversary_reminders;
COMMENT ON INDEX memory_tags_day_of_death_idx IS 'Serves: whose day of death a day is.';
CREATE TRIGGER memory_tags_erasure_guard BEFORE INSERT ON memory_tags
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('owner_id');
COMMENT ON TRIGGER memory_tags_erasure_guard ON memory_tags IS 'No memory tag is created for an erased account.';

CREATE TABLE memory_tag_pictures (
  id            text COLLATE "C" NOT NULL,
  memory_tag_id text COLLATE "C" NOT NULL,
  owner_id      text COLLATE "C" NOT NULL,
  file_id       text COLLATE "C" NOT NULL,
  format        text NOT NULL,
  width         integer NOT NULL,
  height        integer NOT NULL,
  size          integer NOT NULL,
  position      integer NOT NULL,
  caption       text,
  version       integer NOT NULL DEFAULT 1,
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  updated_at    timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT memory_tag_pictures_pkey PRIMARY KEY (id),
  CONSTRAINT memory_tag_pictures_memory_tag_id_fkey FOREIGN KEY (memory_tag_id) REFERENCES memory_tags (id) ON DELETE CASCADE,
  CONSTRAINT memory_tag_pictures_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT memory_tag_pictures_file_id_fkey FOREIGN KEY (file_id) REFERENCES stored_files (id) ON DELETE RESTRICT,
  CONSTRAINT memory_tag_pictures_file_id_key UNIQUE (file_id),
  CONSTRAINT memory_tag_pictures_position_key UNIQUE (memory_tag_id, position) DEFERRABLE INITIALLY IMMEDIATE,
  CONSTRAINT memory_tag_pictures_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT memory_tag_pictures_format_known CHECK (format IN ('jpeg', 'webp')),
  CONSTRAINT memory_tag_pictures_has_size CHECK (width BETWEEN 1 AND 4096 AND height BETWEEN 1 AND 4096 AND size > 0),
  CONSTRAINT memory_tag_pictures_position_range CHECK (position BETWEEN 1 AND 100),
  CONSTRAINT memory_tag_pictures_caption_length CHECK (char_length(caption) BETWEEN 1 AND 300),
  CONSTRAINT memory_tag_pictures_version_positive CHECK (version >= 1)
);
COMMENT ON TABLE memory_tag_pictures IS 'Pictures of memory tags, 100 of each at most.';
COMMENT ON COLUMN memory_tag_pictures.id IS 'Record id.';
COMMENT ON COLUMN memory_tag_pictures.memory_tag_id IS 'The memory tag.';
COMMENT ON COLUMN memory_tag_pictures.owner_id IS 'The owner of the memory tag, whose storage it takes whoever added it.';
COMMENT ON COLUMN memory_tag_pictures.file_id IS 'What is kept of the upload: drawn anew, without metadata.';
COMMENT ON COLUMN memory_tag_pictures.format IS 'Of that file: jpeg, or webp where something is transparent.';
COMMENT ON COLUMN memory_tag_pictures.width IS 'Its width in pixels.';
COMMENT ON COLUMN memory_tag_pictures.height IS 'Its height in pixels.';
COMMENT ON COLUMN memory_tag_pictures.size IS 'Its bytes; sizes that are made of it do not count.';
COMMENT ON COLUMN memory_tag_pictures.position IS 'Its place among those of the memory tag: 1 to their number, without a gap.';
COMMENT ON COLUMN memory_tag_pictures.caption IS 'What is to be seen; null where nobody said.';
COMMENT ON COLUMN memory_tag_pictures.version IS 'Counts changes of caption and place by request, for If-Match.';
COMMENT ON COLUMN memory_tag_pictures.created_at IS 'When it was added.';
COMMENT ON COLUMN memory_tag_pictures.updated_at IS 'When it was last changed.';
COMMENT ON CONSTRAINT memory_tag_pictures_pkey ON memory_tag_pictures IS 'One row a record id.';
COMMENT ON CONSTRAINT memory_tag_pictures_memory_tag_id_fkey ON memory_tag_pictures IS 'With its memory tag.';
COMMENT ON CONSTRAINT memory_tag_pictures_owner_id_fkey ON memory_tag_pictures IS 'A user; erasure deletes their pictures first.';
COMMENT ON CONSTRAINT memory_tag_pictures_file_id_fkey ON memory_tag_pictures IS 'A file stays as long as something names it.';
COMMENT ON CONSTRAINT memory_tag_pictures_file_id_key ON memory_tag_pictures IS 'A file is of one picture.';
COMMENT ON CONSTRAINT memory_tag_pictures_position_key ON memory_tag_pictures IS 'One picture a place; looked at after a whole statement, since others make room.';
COMMENT ON CONSTRAINT memory_tag_pictures_format_known ON memory_tag_pictures IS 'One of the two.';
COMMENT ON CONSTRAINT memory_tag_pictures_has_size ON memory_tag_pictures IS 'Not empty, and no larger than pictures are kept.';
COMMENT ON CONSTRAINT memory_tag_pictures_position_range ON memory_tag_pictures IS 'There are 100 at most.';
COMMENT ON CONSTRAINT memory_tag_pictures_caption_length ON memory_tag_pictures IS '300 characters at most, and never empty.';
COMMENT ON CONSTRAINT memory_tag_pictures_version_positive ON memory_tag_pictures IS 'Counts from 1.';
CREATE INDEX memory_tag_pictures_owner_id_idx ON memory_tag_pictures (owner_id, created_at DESC, id DESC);
COMMENT ON INDEX memory_tag_pictures_owner_id_idx IS 'Serves: a user''s pictures, newest first, how many bytes they have, and the erasure of an account.';
CREATE TRIGGER memory_tag_pictures_erasure_guard BEFORE INSERT ON memory_tag_pictures
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('owner_id');
COMMENT ON TRIGGER memory_tag_pictures_erasure_guard ON memory_tag_pictures IS 'No picture is stored for an erased account.';

CREATE TABLE picture_renditions (
  picture_id text COLLATE "C" NOT NULL,
  width      integer NOT NULL,
  format     text NOT NULL,
  claim      text COLLATE "C" NOT NULL,
  claimed_at timestamptz(3) NOT NULL DEFAULT now(),
  file_id    text COLLATE "C",
  CONSTRAINT picture_renditions_pkey PRIMARY KEY (picture_id, width, format),
  CONSTRAINT picture_renditions_picture_id_fkey FOREIGN KEY (picture_id) REFERENCES memory_tag_pictures (id) ON DELETE CASCADE,
  CONSTRAINT picture_renditions_file_id_fkey FOREIGN KEY (file_id) REFERENCES stored_files (id) ON DELETE RESTRICT,
  CONSTRAINT picture_renditions_file_id_key UNIQUE (file_id),
  CONSTRAINT picture_renditions_width_known CHECK (width IN (320, 640, 1280, 2048)),
  CONSTRAINT picture_renditions_format_known CHECK (format IN ('jpeg', 'webp', 'avif'))
);
COMMENT ON TABLE picture_renditions IS 'Sizes and formats that pictures were asked for in: each is drawn once and kept.';
COMMENT ON COLUMN picture_renditions.picture_id IS 'The picture.';
COMMENT ON COLUMN picture_renditions.width IS 'Pixels: 320, 640, 1280 or 2048; a picture that is narrower keeps its own.';
COMMENT ON COLUMN picture_renditions.format IS 'jpeg, webp or avif.';
COMMENT ON COLUMN picture_renditions.claim IS 'Who draws it, or has drawn it: a random word.';
COMMENT ON COLUMN picture_renditions.claimed_at IS 'When that was begun; half a minute later another may begin anew.';
COMMENT ON COLUMN picture_renditions.file_id IS 'The file; null until it is drawn.';
COMMENT ON CONSTRAINT picture_renditions_pkey ON picture_renditions IS 'Each is drawn once.';
COMMENT ON CONSTRAINT picture_renditions_picture_id_fkey ON picture_renditions IS 'With its picture.';
COMMENT ON CONSTRAINT picture_renditions_file_id_fkey ON picture_renditions IS 'A file stays as long as something names it.';
COMMENT ON CONSTRAINT picture_renditions_file_id_key ON picture_renditions IS 'A file is of one size.';
COMMENT ON CONSTRAINT picture_renditions_width_known ON picture_renditions IS 'One of the four.';
COMMENT ON CONSTRAINT picture_renditions_format_known ON picture_renditions IS 'One of the three.';

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
  CONSTRAINT guest_book_entries_decision_complete CHECK ((state = 'PENDING') = (decided_at IS NULL))
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
COMMENT ON CONSTRAINT guest_book_entries_state_known ON guest_book_entries IS 'PENDING, APPROVED or HIDDEN.';
COMMENT ON CONSTRAINT guest_book_entries_decision_complete ON guest_book_entries IS 'What is decided says when.';
CREATE INDEX guest_book_entries_memory_tag_id_idx ON guest_book_entries (memory_tag_id, created_at DESC, id DESC);
COMMENT ON INDEX guest_book_entries_memory_tag_id_idx IS 'Serves: a guest book, newest first.';
CREATE INDEX guest_book_entries_state_idx ON guest_book_entries (memory_tag_id, state, created_at DESC, id DESC);
COMMENT ON INDEX guest_book_entries_state_idx IS 'Serves: what of a guest book is shown, and what waits for a decision.';
CREATE INDEX guest_book_entries_owner_id_idx ON guest_book_entries (owner_id, id);
COMMENT ON INDEX guest_book_entries_owner_id_idx IS 'Serves: the erasure of an account.';
CREATE TRIGGER guest_book_entries_erasure_guard BEFORE INSERT ON guest_book_entries
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('owner_id');
COMMENT ON TRIGGER guest_book_entries_erasure_guard ON guest_book_entries IS 'No row is stored for an erased account.';

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
  CONSTRAINT memory_tag_caretakers_not_owner CHECK (user_id <> owner_id)
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
COMMENT ON CONSTRAINT memory_tag_caretakers_not_owner ON memory_tag_caretakers IS 'The owner is not a caretaker.';
CREATE INDEX memory_tag_caretakers_user_id_idx ON memory_tag_caretakers (user_id, created_at DESC, id DESC);
COMMENT ON INDEX memory_tag_caretakers_user_id_idx IS 'Serves: the memory tags that a user is caretaker of, newest first, and the erasure of an account.';
CREATE INDEX memory_tag_caretakers_owner_id_idx ON memory_tag_caretakers (owner_id, id);
COMMENT ON INDEX memory_tag_caretakers_owner_id_idx IS 'Serves: the erasure of an account.';
CREATE INDEX memory_tag_caretakers_unlinked_idx ON memory_tag_caretakers (email_hash) WHERE user_id IS NULL;
COMMENT ON INDEX memory_tag_caretakers_unlinked_idx IS 'Serves: what waits for the account of an address.';
CREATE TRIGGER memory_tag_caretakers_erasure_guard BEFORE INSERT ON memory_tag_caretakers
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('owner_id');
COMMENT ON TRIGGER memory_tag_caretakers_erasure_guard ON memory_tag_caretakers IS 'No row is stored for an erased account.';

CREATE FUNCTION delete_caretaker_notifications() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM notifications WHERE user_id = OLD.user_id AND data ->> 'memoryTagId' = OLD.memory_tag_id;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION delete_caretaker_notifications() IS 'Deletes the notifications of a former caretaker about the memory tag: they name who is remembered.';

CREATE TRIGGER memory_tag_caretakers_delete_notifications AFTER DELETE ON memory_tag_caretakers
  FOR EACH ROW WHEN (OLD.user_id IS NOT NULL) EXECUTE FUNCTION delete_caretaker_notifications();
COMMENT ON TRIGGER memory_tag_caretakers_delete_notifications ON memory_tag_caretakers IS 'A former caretaker keeps no notifications about the memory tag.';
