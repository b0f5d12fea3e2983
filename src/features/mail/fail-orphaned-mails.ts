import type { Database } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { JobScheduler } from '../../platform/jobs.ts';
import { listPendingMailIds, markMailsFailed } from './outbox.repository.ts';
import { MAIL_QUEUE } from './send-mail.job.ts';

const BATCH_SIZE = 5_000;

const MAX_LOGGED_IDS = 20;

interface LostMailServices {
  database: Database;
  events: DomainEventBus;
  jobs: JobScheduler;
  log: { error(details: object, message: string): void };
}

/**
 * Fail mails whose job was dismissed or expired before a worker recorded it. Mails whose job ran out of
 * attempts stay for an administrator. Log the ids and return their number.
 */
export async function failOrphanedMails({ database, events, jobs, log }: LostMailServices): Promise<number> {
  const orphaned: string[] = [];
  for (let after = ''; ; ) {
    const waiting = await listPendingMailIds(database.client, after, BATCH_SIZE);
    const last = waiting.at(-1);
    if (last === undefined) break;
    // Read after the mails, which are written together with their jobs.
    const queued = await jobs.findPendingOrFailed(MAIL_QUEUE, 'mailId', waiting);
    const ids = waiting.filter((id) => !queued.has(id));
    if (ids.length > 0)
      await database.transaction(async (tx) => {
        const failed = await markMailsFailed(tx, ids, 'WORKER_LOST');
        await events.publish(tx, 'mail.settled', {
          mailIds: failed,
          isAttempted: false,
          status: 'FAILED',
          reason: 'WORKER_LOST',
        });
        orphaned.push(...failed);
      });
    after = last;
  }
  if (orphaned.length > 0)
    log.error(
      { count: orphaned.length, mails: orphaned.slice(0, MAX_LOGGED_IDS) },
      'mails: failed because their jobs were lost',
    );
  return orphaned.length;
}
