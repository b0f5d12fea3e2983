import type { Database } from '../../../platform/database.ts';
import type { JobHandler } from '../../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../../platform/jobs.ts';
import { rollUpScanCounts } from './roll-up.ts';

/** The queue that rolls scans up; a long backlog is gone on with by the next job. */
export const ROLL_UP_QUEUE: JobQueueDefinition = {
  name: 'roll-up',
  expireInSeconds: 300,
  retryLimit: 2,
  retryDelay: 60,
};

/** Well before the job counts as lost. */
const TIMEOUT_MS = 240_000;

/** Counts what changed since the last time. */
export function createRollUpJob({ database }: { database: Pick<Database, 'pool'> }): JobHandler {
  return async () => {
    await rollUpScanCounts(database, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  };
}
