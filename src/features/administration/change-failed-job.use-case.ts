import { recordAuditEntry } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { deleteFailedJob, jobExists, retryFailedJob } from './jobs.repository.ts';

const CHANGES = { retry: retryFailedJob, dismiss: deleteFailedJob };

/**
 * Retry or dismiss a failed job.
 * @returns its queue
 * @throws NOT_FOUND, or JOB_NOT_FAILED for a job in another state
 */
export function changeFailedJob(
  database: Database,
  context: RequestContext,
  id: string,
  change: keyof typeof CHANGES,
): Promise<string> {
  return database.transaction(async (tx) => {
    const queue = await CHANGES[change](tx, id);
    if (queue === null) throw new ServiceError((await jobExists(tx, id)) ? 'JOB_NOT_FAILED' : 'NOT_FOUND');
    await recordAuditEntry(tx, context, { resourceId: id, changes: [queue] });
    return queue;
  });
}
