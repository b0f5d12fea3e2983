import { addAuditEntry } from '../../platform/audit.repository.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { Queue } from '../../platform/jobs.ts';
import { checkFiles, type FileServices } from './check-files.ts';
import { type FileCounts, newFileCounts, problemsIn } from './file-counts.ts';

/** The queue of the daily comparison of files and rows. */
export const CHECK_FILES_QUEUE: Queue = {
  name: 'check-files',
  expireInSeconds: 6 * 60 * 60,
  retryLimit: 1,
  retryDelay: 300,
};

/** The hour of the day, UTC, in which it is done. */
const AT_HOUR = 3;

interface Services extends FileServices {
  log: { error(details: object, message: string): void };
}

/**
 * Once a day: says which files no row names, and whose file is not there. Draws images again that are missing, and
 * removes what a stop left of files; whole files stay, since who restored an older database may need them.
 */
export function checkFilesJob(services: Services): JobHandler {
  return async () => {
    if (new Date().getUTCHours() === AT_HOUR) await checkAndSay(services);
  };
}

/** What the job does in its hour. */
export async function checkAndSay(services: Services): Promise<FileCounts> {
  const counts = newFileCounts();
  await checkFiles(services, {
    mend: 'HARMLESS',
    onFinding: counts.add,
    progress: { step() {} },
    stopping: new AbortController().signal,
  });
  const changes = problemsIn(counts);
  if (changes.length > 0) {
    services.log.error(
      { ...counts.found },
      'files: some do not agree with what names them; npm run files:check',
    );
    await addAuditEntry(services.database.client, {
      action: 'FILES_CHECKED',
      outcome: counts.isRight() ? 'SUCCESS' : 'FAILURE',
      operation: CHECK_FILES_QUEUE.name,
      requestId: 'job',
      changes,
    });
  }
  return counts;
}
