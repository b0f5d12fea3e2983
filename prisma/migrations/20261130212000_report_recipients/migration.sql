-- Compatible with earlier versions: yes
-- Which member of an account gets the report.
ALTER TABLE report_schedules ADD COLUMN user_id text COLLATE "C";
COMMENT ON COLUMN report_schedules.user_id IS 'The user who gets it, while they act for the account.';
COMMENT ON COLUMN report_schedules.account_id IS 'The account that it reports on.';
COMMENT ON TABLE report_schedules IS 'Reports on scans that users get by email, one for each user and account.';
