import { insertAuditEntry } from '../../../platform/audit.repository.ts';
import type { JobHandler } from '../../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../../platform/jobs.ts';
import { checkStoredFileConsistency, type FileCheckServices } from './check-files.ts';
import { createFileFindingCounts, type FileFindingCounts, listFoundProblems } from './file-finding-counts.ts';

/** The queue of the daily comparison of files and rows. */
export const CHECK_FILES_QUEUE: JobQueueDefinition = {
  name: 'check-files',
  expireInSeconds: 6 * 60 * 60,
  retryLimit: 1,
  retryDelay: 300,
};

/** The hour of the day, UTC, in which it is done. */
const CHECK_HOUR_UTC = 3;

interface CheckFilesJobServices extends FileCheckServices {
  log: { error(details: object, message: string): void };
}

/**
 * Once a day: says which files no row names, and whose file is not there. Draws images again that are missing, and
 * removes what a stop left of files; whole files stay, since who restored an older database may need them.
 */
export function createCheckFilesJob(services: CheckFilesJobServices): JobHandler {
  return async () => {
    if (new Date().getUTCHours() === CHECK_HOUR_UTC) await checkFilesAndReport(services);
  };
}

/** What the job does in its hour. */
export async function checkFilesAndReport(services: CheckFilesJobServices): Promise<FileFindingCounts> {
  const counts = createFileFindingCounts();
  await checkStoredFileConsistency(services, {
    repair: 'HARMLESS',
    onFinding: counts.add,
    progress: { step() {} },
    signal: new AbortController().signal,
  });
  const changes = listFoundProblems(counts);
  if (changes.length > 0) {
    services.log.error(
      { ...counts.byProblem },
      'files: some do not agree with what names them; npm run files:check',
    );
    await insertAuditEntry(services.database.client, {
      action: 'FILES_CHECKED',
      outcome: counts.isConsistent() ? 'SUCCESS' : 'FAILURE',
      operation: CHECK_FILES_QUEUE.name,
      requestId: 'job',
      changes,
    });
  }
  return counts;
}
