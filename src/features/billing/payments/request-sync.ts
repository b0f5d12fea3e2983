import type { Tx } from '../../../platform/database.ts';
import type { JobQueueDefinition } from '../../../platform/jobs.ts';
import type { PaymentObjectReference } from '../../../providers/payments/payments.port.ts';
import { listUnnotifiedTrials } from './payment.repository.ts';
import type { EnabledPaymentServices } from './payment-services.ts';
import { listDueSyncs, requestSyncs } from './payment-sync.repository.ts';
import { TRIAL_NOTICE_MS } from './subscription-state.rules.ts';

/** Jobs hold only ids. */
export const SYNC_QUEUE: JobQueueDefinition = {
  name: 'payment-sync',
  expireInSeconds: 60,
  retryLimit: 20,
  retryDelay: 2,
};

/** Call `wake` after the commit. */
export async function requestSync(
  tx: Tx,
  { payments, jobs }: Pick<EnabledPaymentServices, 'payments' | 'jobs'>,
  objects: readonly PaymentObjectReference[],
): Promise<void> {
  if (objects.length === 0) return;
  const idle = await requestSyncs(tx, payments.name, objects);
  await jobs.enqueueAll(
    tx,
    SYNC_QUEUE,
    idle.map((objectId) => ({ provider: payments.name, objectId })),
  );
}

const TRIAL_BATCH_SIZE = 500;

/** The end of a trial changes nothing in the row, and the provider's one event may be lost. */
export async function requestEndingTrialSyncs(services: EnabledPaymentServices): Promise<void> {
  const { database, jobs, payments } = services;
  const before = new Date(Date.now() + TRIAL_NOTICE_MS);
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = { before, after, limit: TRIAL_BATCH_SIZE };
    const ids: string[] = await listUnnotifiedTrials(database.client, payments.name, page);
    const subjects = ids.map((id) => ({ object: 'SUBSCRIPTION' as const, id }));
    await database.transaction((tx) => requestSync(tx, services, subjects));
    after = ids.at(-1);
  }
  jobs.wake(SYNC_QUEUE);
}

const DUE_SYNC_BATCH_SIZE = 1_000;

/** For syncs whose job was dismissed or expired. */
export async function requeueLostSyncs({
  database,
  jobs,
  payments,
  log,
}: EnabledPaymentServices): Promise<number> {
  let lost = 0;
  for (let after = ''; ; ) {
    const waiting = await listDueSyncs(database.client, payments.name, after, DUE_SYNC_BATCH_SIZE);
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
