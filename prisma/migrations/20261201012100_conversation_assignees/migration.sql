-- Compatible with earlier versions: yes
-- Members of an organization share an inbox: a conversation can have one of them who answers it.
ALTER TABLE conversations
  ADD COLUMN assignee_id text COLLATE "C"
    CONSTRAINT conversations_assignee_id_fkey REFERENCES users (id) ON DELETE SET NULL;
COMMENT ON COLUMN conversations.assignee_id IS 'The member of the organization who is to answer; null for nobody. Cleared when that member may no longer answer.';
COMMENT ON CONSTRAINT conversations_assignee_id_fkey ON conversations IS 'Rows of users are deleted only before the address is confirmed.';
COMMENT ON COLUMN conversations.version IS 'Counts changes of what the owner''s side decided: done or open, ended or reopened, who is to answer.';
