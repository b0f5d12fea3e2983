import type { Database } from '../../../platform/database.ts';
import type { JobHandler } from '../../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../../platform/jobs.ts';
import { rollUpScanCounts } from './roll-up.ts';

/** A long backlog is continued by the next job. */
export const SCAN_ROLL_UP_QUEUE: JobQueueDefinition = {
  name: 'roll-up',
  expireInSeconds: 300,
  retryLimit: 2,
  retryDelay: 60,
};

/** Below the expiry of the job. */
const TIMEOUT_MS = 240_000;

export function createScanRollUpJob({ database }: { database: Pick<Database, 'pool'> }): JobHandler {
  return async () => {
    await rollUpScanCounts(database, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  };
}
