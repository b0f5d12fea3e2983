import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { insertNotifications, type NewNotification } from '../notifications/index.ts';
import {
  type ExpiringDocument,
  type ExpiryCursor,
  findUnnotifiedExpiringDocuments,
} from './expiring-document.repository.ts';

/** The queue that looks for documents whose validity ends. */
export const DOCUMENT_EXPIRY_QUEUE: JobQueueDefinition = {
  name: 'tell-document-ends',
  expireInSeconds: 120,
  retryLimit: 2,
  retryDelay: 60,
};

const NOTIFICATION_BATCH_SIZE = 200;

/** Tells owners of documents that end within 30 days, and of those whose last day it is; once for each of the two. */
export function createDocumentExpiryJob({
  database,
  wakeNotifier,
}: {
  database: Database;
  wakeNotifier(): void;
}): JobHandler {
  return async () => {
    for (const event of ['DOCUMENT_EXPIRING', 'DOCUMENT_EXPIRED'] as const)
      for (let after: ExpiryCursor | null = null, isLast = false; !isLast; ) {
        const found: ExpiringDocument[] = await findUnnotifiedExpiringDocuments(
          database.client,
          event,
          after,
          NOTIFICATION_BATCH_SIZE,
        );
        await insertNotifications(
          database.client,
          found.map((document) => toExpiryNotification(event, document)),
        );
        after = found.at(-1) ?? null;
        isLast = found.length < NOTIFICATION_BATCH_SIZE;
      }
    wakeNotifier();
  };
}

function toExpiryNotification(
  event: 'DOCUMENT_EXPIRING' | 'DOCUMENT_EXPIRED',
  { id: documentId, ownerId, title, expiresOn, key }: ExpiringDocument,
): NewNotification {
  // A day is the same in every time zone.
  const data = { documentId, document: title, expiresAt: expiresOn.toISOString(), timeZone: 'UTC' };
  return { userId: ownerId, key, type: 'DEFAULT', event, data };
}
