import type { Database } from '../../platform/database.ts';
import type { EventBus } from '../../platform/events.ts';
import type { JobScheduler } from '../../platform/jobs.ts';
import { listPendingMailIds, markMailsFailed } from './outbox.repository.ts';
import { MAIL_QUEUE } from './send-mail.job.ts';

/** Mails looked at by one statement. */
const BATCH_SIZE = 5_000;

/** Ids that the line of the log names at most. */
const MAX_LOGGED_IDS = 20;

interface LostMailServices {
  database: Database;
  events: EventBus;
  jobs: JobScheduler;
  log: { error(details: object, message: string): void };
}

/**
 * Gives up the mails that wait for nobody: their job is gone, dismissed or too old, before a worker could say so in the
 * outbox. Those whose job used up its tries wait for an administrator. Answers their number; one line of the log names
 * them by their ids.
 */
export async function failOrphanedMails({ database, events, jobs, log }: LostMailServices): Promise<number> {
  const lost: string[] = [];
  for (let after = ''; ; ) {
    const waiting = await listPendingMailIds(database.client, after, BATCH_SIZE);
    const last = waiting.at(-1);
    if (last === undefined) break;
    // Read after the mails, which are written together with their jobs: a mail without one has lost it.
    const queued = await jobs.findPendingOrFailed(MAIL_QUEUE, 'mailId', waiting);
    const ids = waiting.filter((id) => !queued.has(id));
    if (ids.length > 0)
      await database.transaction(async (tx) => {
        const failed = await markMailsFailed(tx, ids, 'WORKER_LOST');
        await events.publish(tx, 'mail.settled', {
          mailIds: failed,
          wasAttempted: false,
          status: 'FAILED',
          reason: 'WORKER_LOST',
        });
        lost.push(...failed);
      });
    after = last;
  }
  if (lost.length > 0)
    log.error(
      { count: lost.length, mails: lost.slice(0, MAX_LOGGED_IDS) },
      'mails: given up, their workers were lost',
    );
  return lost.length;
}
