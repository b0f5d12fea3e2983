import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { archiveScansBefore } from './archive-scans.ts';
import { deleteOrphanedScanLocations } from './scan-location.repository.ts';
import { addScanPartitions, dropScanPartitionsBefore } from './scan-partitions.repository.ts';

export const SCAN_PARTITIONS_QUEUE: JobQueueDefinition = {
  name: 'scan-partitions',
  expireInSeconds: 600,
  retryLimit: 5,
  retryDelay: 60,
};

const DAYS_BACK = 31;
const DAYS_AHEAD = 366;

const BATCH_SIZE = 5_000;

/** Below the expiry of the job by more than a file needs. */
const ARCHIVE_TIMEOUT_MS = 420_000;

/** Add the partitions of the next twelve months. `keptDays` undefined keeps all scans; archived are those that are dropped. */
export function createScanPartitionsJob(options: {
  database: Database;
  privateFiles: FileStore;
  keptDays: number | undefined;
  isArchived: boolean;
}): JobHandler {
  const { database, privateFiles, keptDays: retentionDays, isArchived } = options;
  return async () => {
    const now = Date.now();
    const [first, last] = [now - DAYS_BACK * DAY_MS, now + DAYS_AHEAD * DAY_MS];
    await addScanPartitions(database.client, new Date(first), new Date(last));
    if (!retentionDays) return;
    const oldest = getOldestKept(now - retentionDays * DAY_MS, isArchived);
    if (isArchived) {
      const signal = AbortSignal.timeout(ARCHIVE_TIMEOUT_MS);
      if (!(await archiveScansBefore({ database, privateFiles }, oldest, { signal }))) return;
    }
    await dropScanPartitionsBefore(database.client, oldest);
    while ((await deleteOrphanedScanLocations(database.client, oldest, BATCH_SIZE)) === BATCH_SIZE);
  };
}

/** Archives are of whole months. */
function getOldestKept(time: number, isArchived: boolean): Date {
  const day = new Date(time);
  return isArchived ? new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1)) : day;
}
