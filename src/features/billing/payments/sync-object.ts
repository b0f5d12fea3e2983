import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '../../../platform/database.ts';
import {
  PaymentError,
  type PaymentObjectReference,
  type ProviderCheckout,
  type ProviderSubscription,
} from '../../../providers/payments/payments.port.ts';
import { generateId } from '../../../shared/ids.ts';
import { findReportedClosure } from './event-inbox.ts';
import { isPaymentReversed } from './invoice-state.rules.ts';
import {
  findOpenCheckoutSessionId,
  findPackageVersionsByPriceIds,
  findUserIdsByCustomerIds,
  hasReversedPayment,
  listRunningSubscriptionIds,
} from './payment.repository.ts';
import type {
  EnabledPaymentServices,
  PaymentServices,
  PaymentUpsertResult,
  RemotePaymentState,
} from './payment-services.ts';
import {
  claimPaymentSync,
  findPaymentSyncLeaseSeconds,
  finishPaymentSync,
  releasePaymentSyncLease,
} from './payment-sync.repository.ts';
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

/**
 * Write in one transaction, which requires that the lease is still ours.
 * @throws PaymentError with nothing changed
 */
export async function syncPaymentObject(
  services: EnabledPaymentServices,
  objectId: string,
  cause: PaymentSyncCause,
): Promise<SyncResult> {
  const { database, payments, jobs } = services;
  const target = { provider: payments.name, objectId };
  const lease = generateId();
  const claimed = await database.transaction((tx) => claimPaymentSync(tx, target, lease, LEASE_SECONDS));
  if (!claimed) {
    const seconds = await findPaymentSyncLeaseSeconds(database.client, target);
    return seconds === null ? { state: 'NOTHING' } : { state: 'HELD', seconds };
  }
  try {
    const { object, wanted, events } = claimed;
    const remoteState = await fetchRemote(services, { object, id: objectId });
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

const EMPTY_STATE: RemotePaymentState = { remote: null, checkout: null, relatedSubjects: [] };

/** Related objects are only reported: each row has one writer. @throws PaymentError */
async function fetchRemote(
  services: EnabledPaymentServices,
  { object, id }: PaymentObjectReference,
): Promise<RemotePaymentState> {
  const { payments, paymentRateLimiter, database } = services;
  if (object === 'CUSTOMER') {
    const accountId = (await findUserIdsByCustomerIds(database.client, payments.name, [id])).get(id);
    const running = accountId
      ? await listRunningSubscriptionIds(database.client, payments.name, accountId)
      : [];
    return { ...EMPTY_STATE, relatedSubjects: running.map((one) => ({ object: 'SUBSCRIPTION', id: one })) };
  }
  await paymentRateLimiter.acquire();
  switch (object) {
    case 'SUBSCRIPTION': {
      const found = await payments.findSubscription(id);
      if (!found) return EMPTY_STATE;
      const remote = await endReversedSubscription(services, found);
      return { ...EMPTY_STATE, remote, checkout: await findPaidCheckout(services, remote) };
    }
    case 'INVOICE':
      return { ...EMPTY_STATE, remote: await payments.findInvoice(id) };
    case 'CHECKOUT': {
      const checkout = await payments.findCheckout(id);
      const bought = checkout?.subscriptionId;
      return {
        ...EMPTY_STATE,
        checkout,
        relatedSubjects: bought ? [{ object: 'SUBSCRIPTION', id: bought }] : [],
      };
    }
    case 'CHARGE': {
      const invoice = await payments.findInvoiceOfCharge(id);
      return { ...EMPTY_STATE, relatedSubjects: invoice ? [{ object: 'INVOICE', id: invoice }] : [] };
    }
  }
}

/** The sync of an invoice only requests it; that of the subscription ends it. */
function listReversedSubscriptions({ remote }: RemotePaymentState): PaymentObjectReference[] {
  const isReversed = remote?.object === 'INVOICE' && isPaymentReversed(remote);
  return isReversed && remote.subscriptionId ? [{ object: 'SUBSCRIPTION', id: remote.subscriptionId }] : [];
}

/** End a subscription that is no longer paid for, so that it neither goes on nor is charged again. */
async function endReversedSubscription(
  { payments, paymentRateLimiter, database, log }: EnabledPaymentServices,
  remote: ProviderSubscription,
): Promise<ProviderSubscription> {
  const { id, state, priceId, currentPeriodStart } = remote;
  if (state === 'CANCELED') return remote;
  const periodStart = currentPeriodStart ?? new Date(0);
  if (!(await hasReversedPayment(database.client, payments.name, id, periodStart))) return remote;
  const sold = await findPackageVersionsByPriceIds(database.client, payments.name, [priceId]);
  if (sold.size === 0) return remote;
  await paymentRateLimiter.acquire();
  const ended = await payments.cancelSubscription(id, 'NOW');
  log.warn({ subscription: id }, 'payments: a subscription ended, its payment was refunded or lost');
  return ended;
}

/** The open checkout that the subscription was bought with, so that both change in one transaction. */
async function findPaidCheckout(
  { payments, paymentRateLimiter, database }: EnabledPaymentServices,
  { id, customerId }: ProviderSubscription,
): Promise<ProviderCheckout | null> {
  const sessionId = await findOpenCheckoutSessionId(database.client, payments.name, customerId);
  if (sessionId === null) return null;
  await paymentRateLimiter.acquire();
  const checkout = await payments.findCheckout(sessionId);
  return checkout?.subscriptionId === id ? checkout : null;
}

/** The job syncs the change after this wait of a request. */
const TIMEOUT_MS = 5_000;
const POLL_INTERVAL_MS = 50;

/** False when the sync is left to the job. `record` runs in the transaction that requests the sync. */
export function createSyncSubscriptionNow(services: PaymentServices) {
  const { database, payments, jobs } = services;
  return async (id: string, record: (tx: Tx) => Promise<void>): Promise<boolean> => {
    if (!payments) throw new Error('Billing is disabled.');
    const selling = { ...services, payments };
    await database.transaction(async (tx) => {
      await requestPaymentSyncs(tx, selling, [{ object: 'SUBSCRIPTION', id }]);
      await record(tx);
    });
    try {
      for (const until = Date.now() + TIMEOUT_MS; Date.now() < until; await sleep(POLL_INTERVAL_MS)) {
        const { state } = await syncPaymentObject(selling, id, 'payment-sync');
        // A sync that already runs may have read the state before the change.
        if (state !== 'HELD') return true;
      }
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
    }
    jobs.wake(PAYMENT_SYNC_QUEUE);
    return false;
  };
}
