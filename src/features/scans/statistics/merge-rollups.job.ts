import type { Database } from '../../../platform/database.ts';
import { runPgTransaction } from '../../../platform/driver-transaction.ts';
import type { JobHandler } from '../../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../../platform/jobs.ts';
import { getMergeLimit, mergeRollupMonths } from './merged-rollups.repository.ts';

export const MERGE_ROLLUPS_QUEUE: JobQueueDefinition = {
  name: 'merge-roll-ups',
  expireInSeconds: 300,
  retryLimit: 2,
  retryDelay: 60,
};

/** Below the expiry of the job. */
const TIMEOUT_MS = 240_000;

/** Months of codes and owners in a transaction; roll-ups of old months wait for its end. */
const BATCH_SIZE = 500;

/** Reading a merged month takes all of its buckets, so those with many stay apart. */
const MAX_BUCKETS = 64;

interface MergeOptions {
  signal?: AbortSignal | undefined;
  maxBuckets?: number | undefined;
  batchSize?: number | undefined;
}

/** Merge the roll-ups of months that are over, batch by batch. */
export async function mergeRollups(
  database: Pick<Database, 'pool'>,
  { signal, maxBuckets = MAX_BUCKETS, batchSize = BATCH_SIZE }: MergeOptions = {},
): Promise<number> {
  const limit = getMergeLimit(new Date());
  let count = 0;
  while (!signal?.aborted) {
    const { merged, isDone } = await runPgTransaction(database, 'WRITE', (connection) =>
      mergeRollupMonths(connection, { limit, maxBuckets, batchSize }),
    );
    count += merged;
    if (isDone) break;
  }
  return count;
}

export function createMergeRollupsJob({ database }: { database: Pick<Database, 'pool'> }): JobHandler {
  return async () => {
    await mergeRollups(database, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  };
}
