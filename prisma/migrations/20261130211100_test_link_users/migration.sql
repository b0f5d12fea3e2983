-- Until now each test link was of the user whose personal account has the code.
UPDATE test_links SET user_id = code.account_id FROM qr_codes AS code WHERE code.id = qr_code_id AND test_links.user_id IS NULL;
ALTER TABLE test_links
  ALTER COLUMN user_id SET NOT NULL,
  ADD CONSTRAINT test_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE;
COMMENT ON CONSTRAINT test_links_user_id_fkey ON test_links IS 'Test links go with their user.';
