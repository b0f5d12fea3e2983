-- Compatible with earlier versions: yes
-- Members of an organization share an inbox: one of them marks a conversation as done, so that the others need not look.
ALTER TABLE conversations
  ADD COLUMN done_at timestamptz(3),
  ADD COLUMN version integer NOT NULL DEFAULT 1;
COMMENT ON COLUMN conversations.done_at IS 'When the owner''s side marked it as done; null while it is open. A message of the finder opens it again.';
COMMENT ON COLUMN conversations.version IS 'Counts changes of what the owner''s side decided: done or open, ended or reopened.';
