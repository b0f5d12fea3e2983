-- Until now each report went to the user of a personal account.
UPDATE report_schedules SET user_id = account_id WHERE user_id IS NULL;
ALTER TABLE report_schedules
  ALTER COLUMN user_id SET NOT NULL,
  DROP CONSTRAINT report_schedules_pkey,
  ADD CONSTRAINT report_schedules_pkey PRIMARY KEY (account_id, user_id),
  ADD CONSTRAINT report_schedules_recipient_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE;
COMMENT ON CONSTRAINT report_schedules_pkey ON report_schedules IS 'One row per account and user.';
COMMENT ON CONSTRAINT report_schedules_recipient_fkey ON report_schedules IS 'Schedules go with their user.';
