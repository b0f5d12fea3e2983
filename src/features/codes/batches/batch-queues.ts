import type { JobQueueDefinition } from '../../../platform/jobs.ts';
import type { BatchRecord } from './batch.repository.ts';

/** A job creates tags for some seconds, then enqueues the next one, so that accounts alternate. */
export const CREATE_TAGS_QUEUE: JobQueueDefinition = {
  name: 'create-tags',
  expireInSeconds: 120,
  retryLimit: 10,
  retryDelay: 5,
};

export const DELETE_BATCH_QUEUE: JobQueueDefinition = {
  name: 'delete-batch',
  expireInSeconds: 15 * 60,
  retryLimit: 10,
  retryDelay: 10,
};

/** What entries of the audit trail that a job writes have in common. */
export function createAuditOrigin({
  accountId,
  createdBy,
  requestId,
}: Pick<BatchRecord, 'accountId' | 'createdBy' | 'requestId'>) {
  const actorId = createdBy ?? accountId;
  return { resourceId: accountId, actorId, accountId, operation: CREATE_TAGS_QUEUE.name, requestId };
}
