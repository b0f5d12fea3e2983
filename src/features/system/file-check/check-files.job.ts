import { insertAuditEntry } from '../../../platform/audit.repository.ts';
import type { JobHandler } from '../../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../../platform/jobs.ts';
import { fileCheckFindings, lastFileCheck } from '../../../platform/monitoring/metrics.ts';
import { HOUR_SECONDS } from '../../../shared/durations.ts';
import { checkStoredFileConsistency, type FileCheckServices } from './check-files.ts';
import {
  createFileCheckFindingCounts,
  type FileCheckFindingCounts,
  listFoundFileProblems,
} from './file-finding-counts.ts';

export const CHECK_FILES_QUEUE: JobQueueDefinition = {
  name: 'check-files',
  expireInSeconds: 6 * HOUR_SECONDS,
  retryLimit: 1,
  retryDelay: 300,
};

const CHECK_HOUR_UTC = 3;

interface CheckFilesJobServices extends FileCheckServices {
  log: { error(details: object, message: string): void };
}

/**
 * Create the job that compares files and rows once a day. It removes partial files. Files
 * without a row stay: a restored older database may need them.
 */
export function createCheckFilesJob(services: CheckFilesJobServices): JobHandler {
  return async () => {
    if (new Date().getUTCHours() === CHECK_HOUR_UTC) await checkFilesAndRecordFindings(services);
  };
}

export async function checkFilesAndRecordFindings(
  services: CheckFilesJobServices,
): Promise<FileCheckFindingCounts> {
  const counts = createFileCheckFindingCounts();
  await checkStoredFileConsistency(services, {
    repair: 'HARMLESS',
    onFinding: counts.add,
    progress: { step() {} },
    signal: new AbortController().signal,
  });
  for (const [problem, { unrepaired }] of Object.entries(counts.byProblem))
    fileCheckFindings.set({ problem }, unrepaired);
  lastFileCheck.setToCurrentTime();
  const changes = listFoundFileProblems(counts);
  if (changes.length > 0) {
    services.log.error(
      { ...counts.byProblem },
      'files: files and database disagree; run npm run maintenance -- check-files',
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
