-- Until now each notification was about the personal account of its recipient.
UPDATE notifications SET account_id = user_id WHERE account_id IS NULL;
ALTER TABLE notifications
  ALTER COLUMN account_id SET NOT NULL,
  ADD CONSTRAINT notifications_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE;
COMMENT ON CONSTRAINT notifications_account_id_fkey ON notifications IS 'Notifications go with their account.';
