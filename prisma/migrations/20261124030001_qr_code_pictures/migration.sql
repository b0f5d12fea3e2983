-- Codes have pictures, in one table with those of memory tags.

ALTER TABLE memory_tag_pictures RENAME TO pictures;
ALTER TABLE pictures RENAME CONSTRAINT memory_tag_pictures_pkey TO pictures_pkey;
ALTER TABLE pictures RENAME CONSTRAINT memory_tag_pictures_memory_tag_id_fkey TO pictures_memory_tag_id_fkey;
ALTER TABLE pictures RENAME CONSTRAINT memory_tag_pictures_owner_id_fkey TO pictures_owner_id_fkey;
ALTER TABLE pictures RENAME CONSTRAINT memory_tag_pictures_file_id_fkey TO pictures_file_id_fkey;
ALTER TABLE pictures RENAME CONSTRAINT memory_tag_pictures_file_id_key TO pictures_file_id_key;
ALTER TABLE pictures RENAME CONSTRAINT memory_tag_pictures_id_shape TO pictures_id_shape;
ALTER TABLE pictures RENAME CONSTRAINT memory_tag_pictures_format_known TO pictures_format_known;
ALTER TABLE pictures RENAME CONSTRAINT memory_tag_pictures_has_size TO pictures_has_size;
ALTER TABLE pictures RENAME CONSTRAINT memory_tag_pictures_caption_length TO pictures_caption_length;
ALTER TABLE pictures RENAME CONSTRAINT memory_tag_pictures_version_positive TO pictures_version_positive;
ALTER TABLE pictures RENAME CONSTRAINT memory_tag_pictures_position_key TO pictures_memory_tag_position_key;
ALTER INDEX memory_tag_pictures_owner_id_idx RENAME TO pictures_owner_id_idx;
ALTER TRIGGER memory_tag_pictures_erasure_guard ON pictures RENAME TO pictures_erasure_guard;

ALTER TABLE pictures
  ALTER COLUMN memory_tag_id DROP NOT NULL,
  ADD COLUMN qr_code_id text COLLATE "C",
  ADD CONSTRAINT pictures_qr_code_id_fkey FOREIGN KEY (qr_code_id) REFERENCES qr_codes (id) ON DELETE RESTRICT,
  ADD CONSTRAINT pictures_qr_code_position_key UNIQUE (qr_code_id, position) DEFERRABLE INITIALLY IMMEDIATE,
  ADD CONSTRAINT pictures_single_gallery CHECK ((memory_tag_id IS NULL) <> (qr_code_id IS NULL)),
  DROP CONSTRAINT memory_tag_pictures_position_range,
  ADD CONSTRAINT pictures_position_range CHECK (position BETWEEN 1 AND CASE WHEN qr_code_id IS NULL THEN 100 ELSE 10 END);

COMMENT ON TABLE pictures IS 'Pictures of memory tags, up to 100 each, and of codes, up to 10 each.';
COMMENT ON COLUMN pictures.memory_tag_id IS 'The memory tag; null for a picture of a code.';
COMMENT ON COLUMN pictures.qr_code_id IS 'The code; null for a picture of a memory tag.';
COMMENT ON COLUMN pictures.owner_id IS 'The owner of the memory tag or code. The picture counts towards their storage, whoever added it.';
COMMENT ON COLUMN pictures.position IS 'Position among the pictures of the memory tag or code: from 1, without gaps.';
COMMENT ON CONSTRAINT pictures_qr_code_id_fkey ON pictures IS 'The purge of a code deletes its pictures.';
COMMENT ON CONSTRAINT pictures_qr_code_position_key ON pictures IS 'One picture per position, checked after each statement.';
COMMENT ON CONSTRAINT pictures_single_gallery ON pictures IS 'A picture is of a memory tag or of a code.';
COMMENT ON CONSTRAINT pictures_position_range ON pictures IS 'Up to 100 pictures per memory tag and 10 per code.';
