import { notifyAfterCommit } from '../../../platform/database.ts';
import type { PaymentObjectReference } from '../../../providers/payments/payments.port.ts';
import { generateId } from '../../../shared/ids.ts';
import { fetchPaymentState } from './fetch-payment-state.ts';
import { isPaymentReversed } from './invoice-state.rules.ts';
import type { EnabledPaymentServices, PaymentUpsertResult, RemotePaymentState } from './payment-services.ts';
import {
  claimPaymentSync,
  findPaymentSyncLeaseSeconds,
  finishPaymentSync,
  releasePaymentSyncLease,
} from './payment-sync.repository.ts';
import { findReportedClosure } from './reported-closure.ts';
import { PAYMENT_SYNC_QUEUE, requestPaymentSyncs } from './request-sync.use-case.ts';
import {
  closeAbsentSubscription,
  type PaymentSyncCause,
  upsertPaymentObjectFromProvider,
} from './upsert-from-provider.ts';
import { completeWebhookEvents } from './webhook-event.repository.ts';

const LEASE_SECONDS = PAYMENT_SYNC_QUEUE.expireInSeconds;

/** `HELD`: locked by another process for so many seconds, or idle. */
type SyncResult =
  | { state: 'DONE'; written: PaymentUpsertResult; isAbsent: boolean }
  | { state: 'NOTHING' }
  | { state: 'HELD'; seconds: number };

/** Topic of the commit that ends a sync; only the process that commits notices it. */
export const getPaymentSyncTopic = (objectId: string) => `payment-sync:${objectId}`;

/**
 * Claim the object, fetch its state, write it in one transaction, which requires that the lease is still ours.
 * @param requested request the sync in the transaction that claims it, so that no job can claim it before
 * @throws PaymentError with nothing changed
 */
export async function syncPaymentObject(
  services: EnabledPaymentServices,
  objectId: string,
  cause: PaymentSyncCause,
  requested: readonly PaymentObjectReference[] = [],
): Promise<SyncResult> {
  const { database, payments, jobs } = services;
  const target = { provider: payments.name, objectId };
  const lease = generateId();
  const claimed = await database.transaction(async (tx) => {
    await requestPaymentSyncs(tx, services, requested);
    return claimPaymentSync(tx, target, lease, LEASE_SECONDS);
  });
  if (!claimed) {
    const seconds = await findPaymentSyncLeaseSeconds(database.client, target);
    return seconds === null ? { state: 'NOTHING' } : { state: 'HELD', seconds };
  }
  try {
    const { object, wanted, events } = claimed;
    const remoteState = await fetchPaymentState(services, { object, id: objectId });
    const hasOwnRow = object === 'SUBSCRIPTION' || object === 'INVOICE';
    const isAbsent = hasOwnRow && remoteState.remote === null;
    // A copy in an event may end what is known. Only the provider's answer creates or raises anything.
    const closure = isAbsent && object === 'SUBSCRIPTION' ? findReportedClosure(events) : null;
    // Before the lease ends, in a separate transaction: an extra request is harmless, a lost one is not.
    if (remoteState.relatedSubjects.length > 0)
      await database.transaction((tx) => requestPaymentSyncs(tx, services, remoteState.relatedSubjects));
    const now = new Date(Math.max(Date.now(), ...events.map(({ createdAt }) => createdAt.getTime())));
    const written = await database.transaction(async (tx) => {
      const finished = await finishPaymentSync(tx, target, lease, wanted);
      if (!finished) return null;
      notifyAfterCommit(tx, getPaymentSyncTopic(objectId));
      if (finished.isWantedAgain) await jobs.enqueue(tx, PAYMENT_SYNC_QUEUE, { ...target });
      await completeWebhookEvents(
        tx,
        target.provider,
        events.map(({ eventId }) => eventId),
      );
      // Before the lock of the user's payments, which a sync of the subscription takes after its row here.
      await requestPaymentSyncs(tx, services, listReversedSubscriptions(remoteState));
      if (closure) return closeAbsentSubscription(tx, services, objectId, closure, now);
      return upsertPaymentObjectFromProvider(tx, services, remoteState, { now, cause });
    });
    jobs.wake(PAYMENT_SYNC_QUEUE);
    return written ? { state: 'DONE', written, isAbsent } : { state: 'HELD', seconds: LEASE_SECONDS };
  } catch (error) {
    // May fail for the same reason; the lease expires anyway.
    await releasePaymentSyncLease(database.client, target, lease).catch(() => {});
    throw error;
  }
}

/** The sync of an invoice only requests it; that of the subscription ends it. */
function listReversedSubscriptions({ remote }: RemotePaymentState): PaymentObjectReference[] {
  const isReversed = remote?.object === 'INVOICE' && isPaymentReversed(remote);
  return isReversed && remote.subscriptionId ? [{ object: 'SUBSCRIPTION', id: remote.subscriptionId }] : [];
}
