import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { deleteLeftLocations } from './scan-location.repository.ts';
import { addScanPartitions, dropScanPartitions } from './scan-partitions.repository.ts';

/** The queue that makes partitions of scans ahead, and drops those that are too old. */
export const PARTITIONS_QUEUE: JobQueueDefinition = {
  name: 'scan-partitions',
  expireInSeconds: 60,
  retryLimit: 5,
  retryDelay: 60,
};

const DAY = 24 * 60 * 60 * 1000;

/** Days for which there are partitions already. */
const AHEAD = 92;

/** Parts of trails that one statement deletes. */
const AT_ONCE = 5_000;

/**
 * Makes the partitions of the next three months, and drops those that are older than the scans that are kept, with the
 * trails of what was in them.
 * @param keptDays undefined keeps scans for ever
 */
export function scanPartitionsJob(options: { database: Database; keptDays: number | undefined }): JobHandler {
  const { database, keptDays } = options;
  return async () => {
    const now = Date.now();
    await addScanPartitions(database.client, new Date(now), new Date(now + AHEAD * DAY));
    if (!keptDays) return;
    const oldest = new Date(now - keptDays * DAY);
    await dropScanPartitions(database.client, oldest);
    while ((await deleteLeftLocations(database.client, oldest, AT_ONCE)) === AT_ONCE);
  };
}
