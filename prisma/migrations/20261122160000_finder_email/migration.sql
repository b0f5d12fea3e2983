-- A finder may be told by mail of an answer.
ALTER TABLE conversations
  ADD COLUMN finder_email bytea,
  ADD COLUMN finder_language text NOT NULL DEFAULT 'en';
COMMENT ON COLUMN conversations.finder_email IS 'Where the finder hears of an answer, encrypted; null where they do not want to, or no more.';
COMMENT ON COLUMN conversations.finder_language IS 'The language that the finder''s browser asked for (BCP 47).';
