-- Compatible with earlier versions: yes
-- Jobs without their payloads. pg-boss creates its tables after the migrations, so that the view asks a function, whose
-- names are looked up when it runs.

CREATE FUNCTION reporting.list_jobs()
RETURNS TABLE (id uuid, queue text, status text, failures integer, error text, created_at timestamptz, due_at timestamptz,
  started_at timestamptz, finished_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  RETURN QUERY
    SELECT job.id, job.name,
      CASE job.state::text WHEN 'created' THEN 'WAITING' WHEN 'retry' THEN 'WAITING' WHEN 'cancelled' THEN 'CANCELED'
        ELSE upper(job.state::text) END,
      -- pg-boss counts a repetition when it begins.
      job.retry_count + (job.state IN ('retry', 'failed') AND job.started_on IS NOT NULL)::int, job.output ->> 'name', job.created_on, job.start_after, job.started_on, job.completed_on
    FROM pgboss.job AS job;
END
$$;
COMMENT ON FUNCTION reporting.list_jobs() IS 'Rows of the view jobs.';

CREATE VIEW reporting.jobs AS SELECT * FROM reporting.list_jobs();
COMMENT ON VIEW reporting.jobs IS 'Work that the service does after it has answered, without its content. What was completed is removed after an hour, what failed after 30 days.';
COMMENT ON COLUMN reporting.jobs.id IS 'Id of the job.';
COMMENT ON COLUMN reporting.jobs.queue IS 'What it does.';
COMMENT ON COLUMN reporting.jobs.status IS 'WAITING, ACTIVE, COMPLETED, CANCELED or FAILED (no attempts are left).';
COMMENT ON COLUMN reporting.jobs.failures IS 'Failed attempts so far.';
COMMENT ON COLUMN reporting.jobs.error IS 'Name of the error of the last failure; null without one, or if its process was lost.';
COMMENT ON COLUMN reporting.jobs.created_at IS 'When it was requested.';
COMMENT ON COLUMN reporting.jobs.due_at IS 'From when on it may run.';
COMMENT ON COLUMN reporting.jobs.started_at IS 'When the last attempt began; null before the first.';
COMMENT ON COLUMN reporting.jobs.finished_at IS 'When it ended; null if it has not.';
