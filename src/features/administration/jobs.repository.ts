import { Prisma } from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database.ts';
import { executeSql, querySql, sql } from '../../platform/sql.ts';
import { createTimeSort, type ListRange, toTimePosition } from '../../shared/list-cursor.ts';
import { MAIL_QUEUE } from '../mail/index.ts';

export interface JobQueueRow {
  queue: string;
  waiting: number;
  running: number;
  retrying: number;
  failed: number;
  /** When the oldest waiting job became due; null if none is waiting. */
  waitingSince: Date | null;
}

export interface FailedJobRow {
  id: string;
  queue: string;
  attempts: number;
  createdAt: Date;
  failedAt: Date;
  reason: string | null;
}

export const LAST_FAILED_FIRST = createTimeSort(
  '-failedAt',
  ({ failedAt }: { id: string; failedAt: Date }) => failedAt,
);

export async function countJobsByQueue(db: Db): Promise<JobQueueRow[]> {
  return querySql<JobQueueRow>(db)`
    SELECT queue.name AS queue,
           count(*) FILTER (WHERE state = 'created')::int AS waiting,
           count(*) FILTER (WHERE state = 'active')::int AS running,
           count(*) FILTER (WHERE state = 'retry')::int AS retrying,
           count(*) FILTER (WHERE state = 'failed')::int AS failed,
           min(start_after) FILTER (WHERE state < 'active' AND start_after <= now()) AS "waitingSince"
    FROM pgboss.queue LEFT JOIN pgboss.job ON job.name = queue.name
    GROUP BY queue.name ORDER BY queue.name`;
}

/** List jobs that used all their attempts, the last failed first. */
// Cursors have milliseconds.
const FAILED_AT = sql`date_trunc('milliseconds', completed_on)`;

export async function listFailedJobs(
  db: Db,
  { skip, take, after }: ListRange,
): Promise<{ rows: FailedJobRow[]; total: number }> {
  const position = toTimePosition(after);
  // A worker that died left no error name.
  const rows = await querySql<FailedJobRow>(db)`
    SELECT id::text, name AS queue, retry_count + 1 AS attempts, created_on AS "createdAt", ${FAILED_AT} AS "failedAt",
           CASE WHEN output->'value'->>'message' LIKE '%timeout%' THEN 'WORKER_LOST' ELSE output->>'name' END AS reason
    FROM pgboss.job WHERE state = 'failed' ${position ? sql`AND (${FAILED_AT}, id::text COLLATE "C") < (${position.at}, ${position.id})` : Prisma.empty}
    ORDER BY ${FAILED_AT} DESC, id DESC OFFSET ${skip} LIMIT ${take}`;
  const [count] = await querySql<{ total: number }>(db)`
    SELECT count(*)::int AS total FROM pgboss.job WHERE state = 'failed'`;
  return { rows, total: count?.total ?? 0 };
}

/** Retry a failed job now. Returns its queue; null if the job has not failed. */
export async function retryFailedJob(tx: Tx, id: string): Promise<string | null> {
  // pg-boss archives a job with completed_on after an hour, whatever its state.
  const [row] = await querySql<{ name: string }>(tx)`
    UPDATE pgboss.job
    SET state = 'retry', retry_limit = retry_count + 1, start_after = now(), completed_on = NULL, output = NULL,
        keep_until = greatest(keep_until, now() + interval '30 days')
    WHERE id = ${id}::uuid AND state = 'failed' RETURNING name`;
  return row?.name ?? null;
}

/** Delete a failed job. Returns its queue; null if the job has not failed. */
export async function deleteFailedJob(tx: Tx, id: string): Promise<string | null> {
  const [row] = await querySql<{ name: string }>(tx)`
    DELETE FROM pgboss.job WHERE id = ${id}::uuid AND state = 'failed' RETURNING name`;
  return row?.name ?? null;
}

export async function jobExists(db: Db, id: string): Promise<boolean> {
  return (await querySql<unknown>(db)`SELECT FROM pgboss.job WHERE id = ${id}::uuid`).length > 0;
}

/** Keep only the last failed job of each queue of repeated jobs. */
export async function deleteSupersededFailedJobs(db: Db): Promise<void> {
  await executeSql(db)`
    DELETE FROM pgboss.job AS old USING pgboss.job AS later
    WHERE old.state = 'failed' AND old.singleton_key = 'repeat' AND later.name = old.name AND later.state = 'failed'
      AND later.singleton_key = 'repeat' AND (later.completed_on, later.id) > (old.completed_on, old.id)`;
}

/** Find the failed jobs of mails, by the id of the mail. */
export async function findFailedMailJobs(db: Db, mailIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await querySql<{ mailId: string; id: string }>(db)`
    SELECT data->>'mailId' AS "mailId", id::text FROM pgboss.job
    WHERE name = ${MAIL_QUEUE.name} AND state = 'failed' AND data->>'mailId' = ANY(${[...mailIds]})`;
  return new Map(rows.map(({ mailId, id }) => [mailId, id]));
}
