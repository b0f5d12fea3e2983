CREATE TABLE report_schedules (
  user_id      text COLLATE "C" NOT NULL,
  qr_code_id   text COLLATE "C",
  frequency    text NOT NULL,
  hour         smallint NOT NULL,
  next_send_at timestamptz(3) NOT NULL,
  sent_until   date,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT report_schedules_pkey PRIMARY KEY (user_id),
  CONSTRAINT report_schedules_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT report_schedules_qr_code_id_fkey FOREIGN KEY (qr_code_id) REFERENCES qr_codes (id) ON DELETE CASCADE,
  CONSTRAINT report_schedules_frequency_known CHECK (frequency IN ('WEEKLY', 'MONTHLY')),
  CONSTRAINT report_schedules_hour_range CHECK (hour BETWEEN 0 AND 23)
);
COMMENT ON TABLE report_schedules IS 'Reports on scans that users get by email, one for each user.';
COMMENT ON COLUMN report_schedules.user_id IS 'The user.';
COMMENT ON COLUMN report_schedules.qr_code_id IS 'The code that it reports on; null for all codes of the user.';
COMMENT ON COLUMN report_schedules.frequency IS 'WEEKLY (on Mondays) or MONTHLY (on the first of a month).';
COMMENT ON COLUMN report_schedules.hour IS 'Hour of the day, 0 to 23, in the time zone of the user.';
COMMENT ON COLUMN report_schedules.next_send_at IS 'When the next report is sent. It changes in the transaction that stores the email, so that each report is sent once.';
COMMENT ON COLUMN report_schedules.sent_until IS 'End of the last period that was sent, exclusive, so that no period is sent twice; null if none was.';
COMMENT ON COLUMN report_schedules.created_at IS 'When it was first set.';
COMMENT ON CONSTRAINT report_schedules_pkey ON report_schedules IS 'One row per user.';
COMMENT ON CONSTRAINT report_schedules_user_id_fkey ON report_schedules IS 'Deleted with the user.';
COMMENT ON CONSTRAINT report_schedules_qr_code_id_fkey ON report_schedules IS 'Deleted when the code is purged.';
COMMENT ON CONSTRAINT report_schedules_frequency_known ON report_schedules IS 'WEEKLY or MONTHLY.';
COMMENT ON CONSTRAINT report_schedules_hour_range ON report_schedules IS 'An hour of the day.';
CREATE INDEX report_schedules_next_send_at_idx ON report_schedules (next_send_at);
COMMENT ON INDEX report_schedules_next_send_at_idx IS 'Serves: the reports that are due.';
CREATE INDEX report_schedules_qr_code_id_idx ON report_schedules (qr_code_id);
COMMENT ON INDEX report_schedules_qr_code_id_idx IS 'Serves: the purge of a code.';
CREATE TRIGGER report_schedules_erasure_guard BEFORE INSERT ON report_schedules
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('user_id');
COMMENT ON TRIGGER report_schedules_erasure_guard ON report_schedules IS 'No schedule is stored for an erased account.';
