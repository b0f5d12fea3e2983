import type { Tx } from '../../../platform/database.ts';
import type { JobQueueDefinition } from '../../../platform/jobs.ts';
import type { PaymentObjectReference } from '../../../providers/payments/payments.port.ts';
import type { EnabledPaymentServices } from './payment-services.ts';
import { requestSyncs } from './payment-sync.repository.ts';

/** The queue of objects of payment providers that are to be looked at; its jobs carry only their ids. */
export const SYNC_QUEUE: JobQueueDefinition = {
  name: 'payment-sync',
  expireInSeconds: 60,
  retryLimit: 20,
  retryDelay: 2,
};

/** Has objects of the provider looked at, each by one job however many reasons there are. Call `wake` after the commit. */
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
