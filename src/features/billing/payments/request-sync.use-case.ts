import type { Tx } from '../../../platform/database.ts';
import type { JobQueueDefinition } from '../../../platform/jobs.ts';
import type { PaymentObjectReference } from '../../../providers/payments/payments.port.ts';
import { listUnnotifiedTrialSubscriptionIds } from './payment.repository.ts';
import type { EnabledPaymentServices } from './payment-services.ts';
import { listDuePaymentSyncIds, recordPaymentSyncRequests } from './payment-sync.repository.ts';
import { TRIAL_END_NOTICE_MS } from './subscription-state.rules.ts';

/** Jobs hold only ids. */
export const PAYMENT_SYNC_QUEUE: JobQueueDefinition = {
  name: 'payment-sync',
  expireInSeconds: 60,
  retryLimit: 20,
  retryDelay: 2,
};

/** Call `wake` after the commit. */
export async function requestPaymentSyncs(
  tx: Tx,
  { payments, jobs }: Pick<EnabledPaymentServices, 'payments' | 'jobs'>,
  objects: readonly PaymentObjectReference[],
): Promise<void> {
  if (objects.length === 0) return;
  const idle = await recordPaymentSyncRequests(tx, payments.name, objects);
  await jobs.enqueueAll(
    tx,
    PAYMENT_SYNC_QUEUE,
    idle.map((objectId) => ({ provider: payments.name, objectId })),
  );
}

const TRIAL_BATCH_SIZE = 500;

/** The end of a trial changes nothing in the row, and the provider's one event may be lost. */
export async function requestEndingTrialSyncs(services: EnabledPaymentServices): Promise<void> {
  const { database, jobs, payments } = services;
  const before = new Date(Date.now() + TRIAL_END_NOTICE_MS);
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = { before, after, limit: TRIAL_BATCH_SIZE };
    const ids: string[] = await listUnnotifiedTrialSubscriptionIds(database.client, payments.name, page);
    const subjects = ids.map((id) => ({ object: 'SUBSCRIPTION' as const, id }));
    await database.transaction((tx) => requestPaymentSyncs(tx, services, subjects));
    after = ids.at(-1);
  }
  jobs.wake(PAYMENT_SYNC_QUEUE);
}

const DUE_SYNC_BATCH_SIZE = 1_000;

/** For syncs whose job was dismissed or expired. */
export async function requeueLostPaymentSyncs({
  database,
  jobs,
  payments,
  log,
}: EnabledPaymentServices): Promise<number> {
  let lost = 0;
  for (let after = ''; ; ) {
    const waiting = await listDuePaymentSyncIds(database.client, payments.name, after, DUE_SYNC_BATCH_SIZE);
    const last = waiting.at(-1);
    if (last === undefined) break;
    // Read after the objects, which are written together with their jobs.
    const due = await jobs.findPending(PAYMENT_SYNC_QUEUE, 'objectId', waiting);
    const ids = waiting.filter((id) => !due.has(id));
    await database.transaction((tx) =>
      jobs.enqueueAll(
        tx,
        PAYMENT_SYNC_QUEUE,
        ids.map((objectId) => ({ provider: payments.name, objectId })),
      ),
    );
    lost += ids.length;
    after = last;
  }
  if (lost > 0) {
    log.error({ count: lost }, 'payments: syncs with lost jobs requeued');
    jobs.wake(PAYMENT_SYNC_QUEUE);
  }
  return lost;
}
