import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { Queue } from '../../platform/jobs.ts';
import { findUntoldEnds } from './expiring-codes.repository.ts';
import { insertNotifications } from './insert-notification.repository.ts';
import { endNotification } from './new-notifications.ts';

/** The queue that looks for codes that end. */
export const ENDS_QUEUE: Queue = { name: 'tell-ends', expireInSeconds: 120, retryLimit: 2, retryDelay: 60 };

const AT_ONCE = 200;

/** Tells owners of codes that end within a week, and of those that have ended; once for each end. */
export function tellEndsJob({ database, wake }: { database: Database; wake(): void }): JobHandler {
  return async () => {
    for (const event of ['CODE_EXPIRING', 'CODE_EXPIRED'] as const)
      for (let found = AT_ONCE; found === AT_ONCE; ) {
        const codes = await findUntoldEnds(database.client, event, AT_ONCE);
        await insertNotifications(
          database.client,
          codes.map((code) => endNotification(event, code)),
        );
        found = codes.length;
      }
    wake();
  };
}
