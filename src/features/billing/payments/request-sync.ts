import type { Tx } from '../../../platform/database.ts';
import type { JobQueueDefinition } from '../../../platform/jobs.ts';
import type { PaymentObjectReference } from '../../../providers/payments/payments.port.ts';
import type { EnabledPaymentServices } from './payment-services.ts';
import { requestSyncs } from './payment-sync.repository.ts';

/** The queue of objects to sync; its jobs hold only ids. */
export const SYNC_QUEUE: JobQueueDefinition = {
  name: 'payment-sync',
  expireInSeconds: 60,
  retryLimit: 20,
  retryDelay: 2,
};

/** Request syncs, with one job for each object. Call `wake` after the commit. */
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
