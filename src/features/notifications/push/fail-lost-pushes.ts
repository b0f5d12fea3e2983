import type { Database } from '../../../platform/database.ts';
import type { JobScheduler } from '../../../platform/jobs.ts';
import { failWaitingPushes, listWaitingPushIds } from './push-delivery.repository.ts';
import { PUSH_QUEUE } from './send-push.job.ts';

const BATCH_SIZE = 5_000;

interface Services {
  database: Database;
  jobs: JobScheduler;
  log: { error(details: object, message: string): void };
}

/** Fail waiting pushes whose job is missing, cancelled or too old because their worker died. Returns their number. */
export async function failLostPushes({ database, jobs, log }: Services): Promise<number> {
  let lost = 0;
  for (let after = ''; ; ) {
    const waiting = await listWaitingPushIds(database.client, after, BATCH_SIZE);
    const last = waiting.at(-1);
    if (last === undefined) break;
    // Jobs are read after the pushes, which are inserted together with them.
    const due = await jobs.findPendingOrFailed(PUSH_QUEUE, 'deliveryId', waiting);
    const ids = waiting.filter((id) => !due.has(id));
    if (ids.length > 0) lost += await failWaitingPushes(database.client, ids, 'WORKER_LOST');
    after = last;
  }
  if (lost > 0) log.error({ count: lost }, 'pushes: failed, workers were lost');
  return lost;
}
