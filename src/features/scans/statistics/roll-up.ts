import type { Database } from '../../../platform/database.ts';
import { runDriverTransaction } from '../../../platform/driver-transaction.ts';
import { countBuckets } from './count-buckets.repository.ts';
import {
  type BucketSize,
  type DirtyBucket,
  listDirtyBuckets,
  lockBucketsToCount,
} from './rollup.repository.ts';

interface RollUpOptions {
  /** Told after each transaction how many spans of codes and owners are counted so far, and which was reached. */
  progress?: ((counted: number, reached: Date) => void) | undefined;
  /** Ends it between two transactions. */
  signal?: AbortSignal | undefined;
  /** Counts what is over at this moment, which may lie ahead: a span that goes on is counted again. Now, if left out. */
  until?: Date | undefined;
  /** Spans of codes and owners in one transaction: whoever stores a scan of these waits as long as it takes. */
  batchSize?: number | undefined;
}

const BATCH_SIZE = 1_000;

/**
 * Counts again whatever waits and is over: quarters of an hour from the scans, then days from their quarters. A span
 * that somebody stores a scan of at this moment is left for the next time. What was noted and what was counted change
 * in one transaction, so a kill leaves nothing in between. Answers how many spans were counted.
 */
export async function rollUpScanCounts(
  database: Pick<Database, 'pool'>,
  { progress, signal, until, batchSize = BATCH_SIZE }: RollUpOptions = {},
): Promise<number> {
  let counted = 0;
  for (const span of ['QUARTER_HOUR', 'DAY'] as const) {
    let reached: DirtyBucket | null = null;
    while (!signal?.aborted) {
      const waiting: DirtyBucket[] = await listDirtyBuckets(database.pool, span, reached, batchSize, until);
      reached = waiting.at(-1) ?? null;
      if (!reached) break;
      counted += await countBatch(database, span, waiting);
      progress?.(counted, reached.startsAt);
    }
  }
  return counted;
}

function countBatch(
  database: Pick<Database, 'pool'>,
  span: BucketSize,
  waiting: readonly DirtyBucket[],
): Promise<number> {
  return runDriverTransaction(database, 'WRITE', async (connection) => {
    const locked = await lockBucketsToCount(connection, span, waiting);
    return locked.length > 0 ? countBuckets(connection, span, locked) : 0;
  });
}
