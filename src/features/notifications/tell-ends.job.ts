import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { type EndPlace, type ExpiringCode, findUntoldEnds } from './expiring-codes.repository.ts';
import { insertNotifications } from './insert-notification.repository.ts';
import { endNotification } from './new-notifications.ts';

/** The queue that looks for codes that end. */
export const ENDS_QUEUE: JobQueueDefinition = {
  name: 'tell-ends',
  expireInSeconds: 120,
  retryLimit: 2,
  retryDelay: 60,
};

const AT_ONCE = 200;

/** Tells owners of codes that end within a week, and of those that have ended; once for each end. */
export function tellEndsJob({ database, wake }: { database: Database; wake(): void }): JobHandler {
  return async () => {
    for (const event of ['CODE_EXPIRING', 'CODE_EXPIRED'] as const)
      for (let after: EndPlace | null = null, isLast = false; !isLast; ) {
        const codes: ExpiringCode[] = await findUntoldEnds(database.client, event, after, AT_ONCE);
        await insertNotifications(
          database.client,
          codes.map((code) => endNotification(event, code)),
        );
        after = codes.at(-1) ?? null;
        isLast = codes.length < AT_ONCE;
      }
    wake();
  };
}
