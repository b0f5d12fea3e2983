import type { Database } from '../../platform/database.ts';
import type { Jobs } from '../../platform/jobs.ts';
import { settleLostMails } from '../notifications/delivery.repository.ts';
import { giveUpAll, listWaitingMails } from './outbox.repository.ts';
import { MAIL_QUEUE } from './send-mail.job.ts';

/** Mails looked at by one statement. */
const BATCH = 5_000;

/** Ids that the line of the log names at most. */
const NAMED = 20;

interface Services {
  database: Database;
  jobs: Jobs;
  log: { error(details: object, message: string): void };
}

/**
 * Gives up the mails that wait for nobody: their job is gone, dismissed or too old, before a worker could say so in the
 * outbox. Those whose job used up its tries wait for an administrator. Answers their number; one line of the log names
 * them by their ids.
 */
export async function giveUpLostMails({ database, jobs, log }: Services): Promise<number> {
  const lost: string[] = [];
  for (let after = ''; ; ) {
    const waiting = await listWaitingMails(database.client, after, BATCH);
    const last = waiting.at(-1);
    if (last === undefined) break;
    // Read after the mails, which are written together with their jobs: a mail without one has lost it.
    const due = await jobs.dueOrDead(MAIL_QUEUE, 'mailId', waiting);
    const ids = waiting.filter((id) => !due.has(id));
    if (ids.length > 0)
      await database.transaction(async (tx) => {
        const given = await giveUpAll(tx, ids, 'WORKER_LOST');
        await settleLostMails(tx, given, 'WORKER_LOST');
        lost.push(...given);
      });
    after = last;
  }
  if (lost.length > 0)
    log.error(
      { count: lost.length, mails: lost.slice(0, NAMED) },
      'mails: given up, their workers were lost',
    );
  return lost.length;
}
