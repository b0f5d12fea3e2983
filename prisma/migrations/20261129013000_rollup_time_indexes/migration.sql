-- Compatible with earlier versions: yes
-- Reports over all accounts read the days that they ask for, not the whole history.
CREATE INDEX scan_rollups_day_idx ON scan_rollups (((starts_at AT TIME ZONE 'UTC')::date)) WHERE bucket_size = 'DAY';
COMMENT ON INDEX scan_rollups_day_idx IS 'Serves: reports by day over all codes or accounts. The expression is that of the views of the schema reporting.';
CREATE INDEX scan_rollups_quarter_hour_idx ON scan_rollups (starts_at) WHERE bucket_size = 'QUARTER_HOUR';
COMMENT ON INDEX scan_rollups_quarter_hour_idx IS 'Serves: reports by the quarter hour over all codes.';
