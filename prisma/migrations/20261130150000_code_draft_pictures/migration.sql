-- Compatible with earlier versions: yes
ALTER TABLE code_drafts ADD COLUMN picture bytea
  CONSTRAINT code_drafts_picture_bounded CHECK (octet_length(picture) <= 2800000);
COMMENT ON COLUMN code_drafts.picture IS 'The photo, encrypted; null without one.';
COMMENT ON CONSTRAINT code_drafts_picture_bounded ON code_drafts IS 'A redrawn photo of 2 MB, as text.';
