import type { Database } from '../../platform/database.ts';
import { countJobsByQueue, deleteSupersededFailedJobs } from './jobs.repository.ts';

/** Log how many jobs have failed for good, as long as there are any. */
export async function logFailedJobCounts({
  database,
  log,
}: {
  database: Database;
  log: { error(details: object, message: string): void };
}): Promise<void> {
  await deleteSupersededFailedJobs(database.client);
  const failed = (await countJobsByQueue(database.client)).filter((row) => row.failed > 0);
  if (failed.length === 0) return;
  const queues = Object.fromEntries(failed.map((row) => [row.queue, row.failed]));
  log.error({ queues }, 'jobs: some jobs failed for good; GET /api/admin/jobs/failed lists them');
}
