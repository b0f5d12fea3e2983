-- Pictures of memory tags, in an order, and the sizes that were made of them. The bytes are private files.

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
COMMENT ON CONSTRAINT memory_tag_pictures_owner_id_fkey ON memory_tag_pictures IS 'A person; erasure deletes their pictures first.';
COMMENT ON CONSTRAINT memory_tag_pictures_file_id_fkey ON memory_tag_pictures IS 'A file stays as long as something names it.';
COMMENT ON CONSTRAINT memory_tag_pictures_file_id_key ON memory_tag_pictures IS 'A file is of one picture.';
COMMENT ON CONSTRAINT memory_tag_pictures_position_key ON memory_tag_pictures IS 'One picture a place; looked at after a whole statement, since others make room.';
COMMENT ON CONSTRAINT memory_tag_pictures_id_shape ON memory_tag_pictures IS 'A record id: 24 hexadecimal digits.';
COMMENT ON CONSTRAINT memory_tag_pictures_format_known ON memory_tag_pictures IS 'One of the two.';
COMMENT ON CONSTRAINT memory_tag_pictures_has_size ON memory_tag_pictures IS 'Not empty, and no larger than pictures are kept.';
COMMENT ON CONSTRAINT memory_tag_pictures_position_range ON memory_tag_pictures IS 'There are 100 at most.';
COMMENT ON CONSTRAINT memory_tag_pictures_caption_length ON memory_tag_pictures IS '300 characters at most, and never empty.';
COMMENT ON CONSTRAINT memory_tag_pictures_version_positive ON memory_tag_pictures IS 'Counts from 1.';
CREATE INDEX memory_tag_pictures_owner_id_idx ON memory_tag_pictures (owner_id, created_at DESC, id DESC);
COMMENT ON INDEX memory_tag_pictures_owner_id_idx IS 'Serves: a person''s pictures, newest first, how many bytes they have, and the erasure of an account.';
CREATE TRIGGER memory_tag_pictures_of_living BEFORE INSERT ON memory_tag_pictures
  FOR EACH ROW EXECUTE FUNCTION refuse_for_erased('owner_id');
COMMENT ON TRIGGER memory_tag_pictures_of_living ON memory_tag_pictures IS 'An upload that an erasure overtook adds nothing.';

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
