-- How far the rolled-up counts are behind, for whoever reads reports.

CREATE VIEW reporting.counting_lag WITH (security_barrier) AS
SELECT count(*) AS waiting, min(starts_at)::timestamptz AS since
FROM scan_stale_spans
WHERE span = 'QUARTER' AND starts_at <= now() - interval '15 minutes';
COMMENT ON VIEW reporting.counting_lag IS 'One row: how far the counted rows are behind the scans. The counts of the other views are right all the same, and slower where much waits.';
COMMENT ON COLUMN reporting.counting_lag.waiting IS 'Quarters of an hour of codes and of owners that are over, have scans that are not in the counted rows yet, and are counted from the scans until they are.';
COMMENT ON COLUMN reporting.counting_lag.since IS 'Beginning of the oldest of them; null where none waits.';
