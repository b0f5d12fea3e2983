import type { Database } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { forEachBatch } from '../../shared/for-each-batch.ts';
import { type ExpiringDocument, findExpiringDocumentsToNotify } from './expiring-document.repository.ts';

export const NOTIFY_EXPIRING_DOCUMENTS_QUEUE: JobQueueDefinition = {
  name: 'notify-expiring-documents',
  expireInSeconds: 120,
  retryLimit: 2,
  retryDelay: 60,
};

const BATCH_SIZE = 200;

/** Notify 30 days before the expiry and on the last day, once each. */
export function createNotifyExpiringDocumentsJob({
  database,
  events,
}: {
  database: Database;
  events: DomainEventBus;
}): JobHandler {
  return async () => {
    for (const event of ['document.expiring', 'document.expired'] as const)
      await forEachBatch<ExpiringDocument>(
        BATCH_SIZE,
        (after) => findExpiringDocumentsToNotify(database.client, event, after, BATCH_SIZE),
        async (documents) => {
          const expiring = documents.map(({ id: documentId, ...document }) => ({ documentId, ...document }));
          if (expiring.length > 0) await database.transaction((tx) => events.publish(tx, event, ...expiring));
        },
      );
  };
}
