import type { Database } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { forEachBatch } from '../../shared/for-each-batch.ts';
import {
  type AnniversaryName,
  type AnniversaryRecipientRow,
  findAnniversaryRecipients,
} from './anniversary.repository.ts';
import { findDueAnniversaryYear, listCurrentMonthDaysWorldwide } from './anniversary.rules.ts';

export const NOTIFY_ANNIVERSARIES_QUEUE: JobQueueDefinition = {
  name: 'notify-anniversaries',
  expireInSeconds: 300,
  retryLimit: 2,
  retryDelay: 60,
};

const BATCH_SIZE = 200;

const ANNIVERSARY_NAMES: readonly AnniversaryName[] = [
  'memory_tag.birth_anniversary',
  'memory_tag.death_anniversary',
];

/** Create the job that reminds owners and caretakers of anniversaries, once each, in the morning of the owner's time zone. */
export function createNotifyAnniversariesJob({
  database,
  events,
  now = () => new Date(),
}: {
  database: Database;
  events: DomainEventBus;
  now?: () => Date;
}): JobHandler {
  return async () => {
    const at = now();
    const days = listCurrentMonthDaysWorldwide(at);
    for (const event of ANNIVERSARY_NAMES)
      await forEachBatch<AnniversaryRecipientRow>(
        BATCH_SIZE,
        (after) => findAnniversaryRecipients(database.client, event, days, after, BATCH_SIZE),
        async (rows) => {
          const due = rows.flatMap((row) => {
            const year = findDueAnniversaryYear(row.date, row.timeZone, at);
            return year === null ? [] : [{ ...row, year }];
          });
          if (due.length > 0) await database.transaction((tx) => events.publish(tx, event, ...due));
        },
      );
  };
}
