-- Compatible with earlier versions: yes
CREATE INDEX IF NOT EXISTS report_schedules_user_id_idx ON report_schedules (user_id);
COMMENT ON INDEX report_schedules_user_id_idx IS 'Serves: the schedules of a user.';
