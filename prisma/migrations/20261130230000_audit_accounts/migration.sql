-- Compatible with earlier versions: yes
-- Entries name the account that somebody acted for, where it is not their own.
ALTER TABLE audit_entries ADD COLUMN account_reference text COLLATE "C";
COMMENT ON COLUMN audit_entries.account_reference IS 'Random reference of the account that the actor acted for (audit_actors); null if it was their own, or none.';
COMMENT ON TABLE audit_actors IS 'Which user or organization a reference in the trail stands for. Erasure deletes the row and leaves the trail intact.';
COMMENT ON COLUMN audit_actors.user_id IS 'The user, or the id of an organization in accounts.';
