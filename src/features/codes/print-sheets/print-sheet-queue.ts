import type { JobQueueDefinition } from '../../../platform/jobs.ts';

/** Queue of print sheets to draw; a job contains only the key of the row. */
export const PRINT_SHEET_QUEUE: JobQueueDefinition = {
  name: 'make-print-sheet',
  expireInSeconds: 15 * 60,
  retryLimit: 4,
  retryDelay: 5,
};

export interface PrintSheetOrigin {
  accountId: string;
  /** The user who requested it. */
  createdBy: string | null;
  requestId: string;
}

/** What entries of the audit trail that a job writes have in common. */
export function createAuditOrigin({ accountId, createdBy, requestId }: PrintSheetOrigin) {
  const actorId = createdBy ?? accountId;
  return { resourceId: accountId, actorId, accountId, operation: PRINT_SHEET_QUEUE.name, requestId };
}
