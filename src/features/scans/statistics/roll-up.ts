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
  for (const bucketSize of ['QUARTER_HOUR', 'DAY'] as const) {
    let lastBucket: DirtyBucket | null = null;
    while (!signal?.aborted) {
      const dirtyBuckets: DirtyBucket[] = await listDirtyBuckets(
        database.pool,
        bucketSize,
        lastBucket,
        batchSize,
        until,
      );
      lastBucket = dirtyBuckets.at(-1) ?? null;
      if (!lastBucket) break;
      counted += await countBatch(database, bucketSize, dirtyBuckets);
      progress?.(counted, lastBucket.startsAt);
    }
  }
  return counted;
}

function countBatch(
  database: Pick<Database, 'pool'>,
  bucketSize: BucketSize,
  dirtyBuckets: readonly DirtyBucket[],
): Promise<number> {
  return runDriverTransaction(database, 'WRITE', async (connection) => {
    const locked = await lockBucketsToCount(connection, bucketSize, dirtyBuckets);
    return locked.length > 0 ? countBuckets(connection, bucketSize, locked) : 0;
  });
}
