import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { insertNotifications } from '../notifications/insert-notification.repository.ts';
import { anniversaryNotification } from '../notifications/new-notifications.ts';
import {
  type AnniversaryEvent,
  type AnniversaryPlace,
  type AnniversaryRow,
  findAnniversaries,
} from './anniversary.repository.ts';
import { daysAnywhere, yearToTell } from './anniversary.rules.ts';

/** The queue that looks for days of birth and death of who is remembered. */
export const ANNIVERSARIES_QUEUE: JobQueueDefinition = {
  name: 'tell-anniversaries',
  expireInSeconds: 300,
  retryLimit: 2,
  retryDelay: 60,
};

const AT_ONCE = 200;

const EVENTS: readonly AnniversaryEvent[] = ['BIRTH_ANNIVERSARY', 'DEATH_ANNIVERSARY'];

/** Reminds people of the days of whom they remember, in the morning of the owner's time zone; once, however often it looks. */
export function tellAnniversariesJob({
  database,
  wake,
  now = () => new Date(),
}: {
  database: Database;
  wake(): void;
  now?: () => Date;
}): JobHandler {
  return async () => {
    const at = now();
    for (const event of EVENTS)
      for (let after: AnniversaryPlace | null = null, isLast = false; !isLast; ) {
        const rows: AnniversaryRow[] = await findAnniversaries(
          database.client,
          event,
          daysAnywhere(at),
          after,
          AT_ONCE,
        );
        const due = rows.flatMap((row) => {
          const year = yearToTell(row.date, row.timeZone, at);
          return year === null ? [] : [anniversaryNotification(event, row, year)];
        });
        await insertNotifications(database.client, due);
        after = rows.at(-1) ?? null;
        isLast = rows.length < AT_ONCE;
      }
    wake();
  };
}
