-- Compatible with earlier versions: yes
-- Who made a test link: the phone that opens it is theirs.
ALTER TABLE test_links ADD COLUMN user_id text COLLATE "C";
COMMENT ON COLUMN test_links.user_id IS 'The user who made it, whose phone opens it. It works while they act for the account of the code.';
