import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { createCodeExpiryNotification, insertNotifications } from '../notifications/index.ts';
import {
  type ExpiringCode,
  type ExpiringCodeCursor,
  findUnnotifiedExpiringCodes,
} from './expiring-codes.repository.ts';

/** The queue that looks for codes that end. */
export const EXPIRING_CODES_QUEUE: JobQueueDefinition = {
  name: 'tell-ends',
  expireInSeconds: 120,
  retryLimit: 2,
  retryDelay: 60,
};

const BATCH_SIZE = 200;

/** Tells owners of codes that end within a week, and of those that have ended; once for each end. */
export function createNotifyExpiringCodesJob({
  database,
  wakeNotifier,
}: {
  database: Database;
  wakeNotifier(): void;
}): JobHandler {
  return async () => {
    for (const event of ['CODE_EXPIRING', 'CODE_EXPIRED'] as const)
      for (let after: ExpiringCodeCursor | null = null, isLast = false; !isLast; ) {
        const codes: ExpiringCode[] = await findUnnotifiedExpiringCodes(
          database.client,
          event,
          after,
          BATCH_SIZE,
        );
        await insertNotifications(
          database.client,
          codes.map((code) => createCodeExpiryNotification(event, code)),
        );
        after = codes.at(-1) ?? null;
        isLast = codes.length < BATCH_SIZE;
      }
    wakeNotifier();
  };
}
