-- Compatible with earlier versions: yes
-- A key belongs to an account, and acts as the member who made it.
ALTER TABLE api_keys
  ADD COLUMN created_by text COLLATE "C" CONSTRAINT api_keys_created_by_fkey REFERENCES users (id) ON DELETE CASCADE,
  ADD COLUMN role text NOT NULL DEFAULT 'OWNER'
    CONSTRAINT api_keys_role_known CHECK (role IN ('OWNER', 'MANAGER', 'EDITOR', 'RESPONDER', 'VIEWER', 'BILLING'));
COMMENT ON COLUMN api_keys.account_id IS 'The account that it acts for.';
COMMENT ON COLUMN api_keys.created_by IS 'The user who made it or took it over. It works while they are a member of the account.';
COMMENT ON COLUMN api_keys.role IS 'What it may do in the account: at most this, and at most what the role of its user allows.';
COMMENT ON CONSTRAINT api_keys_created_by_fkey ON api_keys IS 'A key has a user; rows of users are deleted only before the address is confirmed.';
COMMENT ON CONSTRAINT api_keys_role_known ON api_keys IS 'A role of an account.';
