import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { deleteOrphanedScanLocations } from './scan-location.repository.ts';
import { addScanPartitions, dropScanPartitionsBefore } from './scan-partitions.repository.ts';

export const SCAN_PARTITIONS_QUEUE: JobQueueDefinition = {
  name: 'scan-partitions',
  expireInSeconds: 600,
  retryLimit: 5,
  retryDelay: 60,
};

const DAY_MS = 24 * 60 * 60 * 1000;

const DAYS_BACK = 31;
const DAYS_AHEAD = 366;

const BATCH_SIZE = 5_000;

/** Add the partitions of the next twelve months. `keptDays` undefined keeps all scans. */
export function createScanPartitionsJob(options: {
  database: Database;
  keptDays: number | undefined;
}): JobHandler {
  const { database, keptDays: retentionDays } = options;
  return async () => {
    const now = Date.now();
    const [first, last] = [now - DAYS_BACK * DAY_MS, now + DAYS_AHEAD * DAY_MS];
    await addScanPartitions(database.client, new Date(first), new Date(last));
    if (!retentionDays) return;
    const oldest = new Date(now - retentionDays * DAY_MS);
    await dropScanPartitionsBefore(database.client, oldest);
    while ((await deleteOrphanedScanLocations(database.client, oldest, BATCH_SIZE)) === BATCH_SIZE);
  };
}
