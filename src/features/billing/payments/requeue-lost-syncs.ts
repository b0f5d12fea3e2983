import type { EnabledPaymentServices } from './payment-services.ts';
import { listDueSyncs } from './payment-sync.repository.ts';
import { SYNC_QUEUE } from './request-sync.ts';

const BATCH_SIZE = 1_000;

/** Requeue waiting syncs whose job was dismissed or expired, and return their number. */
export async function requeueLostSyncs({
  database,
  jobs,
  payments,
  log,
}: EnabledPaymentServices): Promise<number> {
  let lost = 0;
  for (let after = ''; ; ) {
    const waiting = await listDueSyncs(database.client, payments.name, after, BATCH_SIZE);
    const last = waiting.at(-1);
    if (last === undefined) break;
    // Read after the objects, which are written together with their jobs.
    const due = await jobs.findPending(SYNC_QUEUE, 'objectId', waiting);
    const ids = waiting.filter((id) => !due.has(id));
    await database.transaction((tx) =>
      jobs.enqueueAll(
        tx,
        SYNC_QUEUE,
        ids.map((objectId) => ({ provider: payments.name, objectId })),
      ),
    );
    lost += ids.length;
    after = last;
  }
  if (lost > 0) {
    log.error({ count: lost }, 'payments: syncs with lost jobs requeued');
    jobs.wake(SYNC_QUEUE);
  }
  return lost;
}
