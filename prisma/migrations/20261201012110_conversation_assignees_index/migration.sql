-- Compatible with earlier versions: yes
CREATE INDEX conversations_assignee_id_idx ON conversations (assignee_id, account_id) WHERE assignee_id IS NOT NULL;
COMMENT ON INDEX conversations_assignee_id_idx IS 'Serves: the conversations of a member, when the membership ends or the user is deleted.';
