import type { Database } from '../../../platform/database.ts';
import { runPgTransaction } from '../../../platform/driver-transaction.ts';
import { rollUpScanBuckets } from './count-buckets.repository.ts';
import { tryKeepFromMerge } from './merged-rollups.repository.ts';
import {
  type DirtyScanBucket,
  listDirtyScanBuckets,
  type ScanBucketSize,
  tryLockScanBuckets,
} from './rollup.repository.ts';

interface RollUpOptions {
  progress?: ((counted: number, reached: Date) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** May be in the future; defaults to now. */
  until?: Date | undefined;
  batchSize?: number | undefined;
}

const BATCH_SIZE = 1_000;

/** Count due buckets, 15-minute ones first; those in use are left for the next run. */
export async function rollUpScanCounts(
  database: Pick<Database, 'pool'>,
  { progress, signal, until, batchSize = BATCH_SIZE }: RollUpOptions = {},
): Promise<number> {
  let counted = 0;
  for (const bucketSize of ['QUARTER_HOUR', 'DAY'] as const) {
    let lastBucket: DirtyScanBucket | null = null;
    while (!signal?.aborted) {
      const dirtyBuckets: DirtyScanBucket[] = await listDirtyScanBuckets(
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
  bucketSize: ScanBucketSize,
  dirtyBuckets: readonly DirtyScanBucket[],
): Promise<number> {
  return runPgTransaction(database, 'WRITE', async (connection) => {
    const locked = await tryLockScanBuckets(connection, bucketSize, dirtyBuckets);
    const free = await tryKeepFromMerge(connection, locked);
    return free.length > 0 ? rollUpScanBuckets(connection, bucketSize, free) : 0;
  });
}
