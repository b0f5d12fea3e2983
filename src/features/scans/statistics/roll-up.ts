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
  progress?: ((counted: number, reached: Date) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** Counts buckets that end before it; may be in the future. Defaults to now. */
  until?: Date | undefined;
  batchSize?: number | undefined;
}

const BATCH_SIZE = 1_000;

/**
 * Count dirty buckets that are due: 15-minute buckets from the scans, then days from their buckets. Returns
 * their number.
 * Buckets in use are left for the next run. Dirty marks and counts change in one transaction.
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
