import type { Database } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import {
  type ExpiringDocument,
  type ExpiryCursor,
  findExpiringDocumentsToNotify,
} from './expiring-document.repository.ts';

export const NOTIFY_EXPIRING_DOCUMENTS_QUEUE: JobQueueDefinition = {
  name: 'notify-expiring-documents',
  expireInSeconds: 120,
  retryLimit: 2,
  retryDelay: 60,
};

const NOTIFICATION_BATCH_SIZE = 200;

/** Notify 30 days before the expiry and on the last day, once each. */
export function createNotifyExpiringDocumentsJob({
  database,
  events,
}: {
  database: Database;
  events: DomainEventBus;
}): JobHandler {
  return async () => {
    for (const event of ['DOCUMENT_EXPIRING', 'DOCUMENT_EXPIRED'] as const)
      for (let after: ExpiryCursor | null = null, isLast = false; !isLast; ) {
        const found: ExpiringDocument[] = await findExpiringDocumentsToNotify(
          database.client,
          event,
          after,
          NOTIFICATION_BATCH_SIZE,
        );
        const expiring = found.map(({ id: documentId, ...document }) => ({ event, documentId, ...document }));
        if (expiring.length > 0)
          await database.transaction((tx) => events.publish(tx, 'document.expiring', ...expiring));
        after = found.at(-1) ?? null;
        isLast = found.length < NOTIFICATION_BATCH_SIZE;
      }
  };
}
