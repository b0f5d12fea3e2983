import { insertAuditEntry } from '../../../platform/audit.repository.ts';
import type { Tx } from '../../../platform/database.ts';
import type { ProviderInvoice, ProviderSubscription } from '../../../providers/payments/payments.port.ts';
import { applyRemoteInvoice, mergeInvoiceSnapshot } from './invoice-state.rules.ts';
import {
  findInvoicesByProviderIds,
  findPackageCode,
  findPackageVersionsByPriceIds,
  findSubscriptionsByProviderIds,
  lockPaymentCustomerUser,
  upsertInvoice,
  upsertSubscription,
} from './payment.repository.ts';
import type { EnabledPaymentServices, PaymentUpsertResult, RemotePaymentState } from './payment-services.ts';
import { applyRemoteSubscription, listChangedFields } from './subscription-state.rules.ts';
import { markCheckoutSessionEnded } from './webhook-event.repository.ts';

/** A reconciliation records an audit event. */
export type PaymentSyncCause = 'payment-sync' | 'billing-reconcile';

const NOTHING_WRITTEN: PaymentUpsertResult = { rowId: null, changed: [], unknown: null };

/** The transaction must have the object's lease. */
export async function upsertPaymentObjectFromProvider(
  tx: Tx,
  services: EnabledPaymentServices,
  { remote, checkout }: Pick<RemotePaymentState, 'remote' | 'checkout'>,
  { now, cause, isCopy }: { now: Date; cause: PaymentSyncCause; isCopy: boolean },
): Promise<PaymentUpsertResult> {
  if (checkout && checkout.state !== 'OPEN')
    await markCheckoutSessionEnded(tx, services.payments.name, { ...checkout, state: checkout.state });
  if (!remote) return NOTHING_WRITTEN;
  const written =
    remote.object === 'SUBSCRIPTION'
      ? await upsertSubscriptionFromProvider(tx, services, remote, now)
      : await upsertInvoiceFromProvider(tx, services, remote, isCopy);
  const about =
    remote.object === 'SUBSCRIPTION' ? written.rowId : await findRowId(tx, services, remote.subscriptionId);
  const entry = { operation: cause, requestId: 'job', resourceId: about ?? undefined } as const;
  if (written.unknown === 'PRICE') {
    services.log.error({ subscription: remote.id }, 'payments: a subscription has an unknown price');
    await insertAuditEntry(tx, { ...entry, action: 'PAYMENT_PRICE_UNKNOWN', outcome: 'FAILURE' });
  }
  if (cause === 'billing-reconcile' && written.changed.length > 0)
    await insertAuditEntry(tx, {
      ...entry,
      action: 'PAYMENT_RECONCILED',
      outcome: 'SUCCESS',
      changes: written.changed.map((name) => `${remote.object.toLowerCase()}.${name}`),
    });
  return written;
}

async function findRowId(
  tx: Tx,
  { payments }: EnabledPaymentServices,
  id: string | null,
): Promise<string | null> {
  if (id === null) return null;
  return (await findSubscriptionsByProviderIds(tx, payments.name, [id])).get(id)?.id ?? null;
}

/** Skip unknown and erased users; an unknown price makes no new row. */
async function upsertSubscriptionFromProvider(
  tx: Tx,
  { payments, events }: Pick<EnabledPaymentServices, 'payments' | 'events'>,
  remote: ProviderSubscription,
  now: Date,
): Promise<PaymentUpsertResult> {
  const { name: provider } = payments;
  const userId = await lockPaymentCustomerUser(tx, provider, remote.customerId);
  if (userId === null) return { rowId: null, changed: [], unknown: 'CUSTOMER' };
  const row = (await findSubscriptionsByProviderIds(tx, provider, [remote.id])).get(remote.id);
  const sold =
    (await findPackageVersionsByPriceIds(tx, provider, [remote.priceId])).get(remote.priceId) ?? null;
  const version = row?.version ?? 0;
  const { facts, isChanged, notifications } = applyRemoteSubscription(row?.facts ?? null, remote, sold, {
    now,
    version,
  });
  // A canceled subscription needs no price.
  const unknown = sold === null && row?.facts.state !== 'CANCELED' ? 'PRICE' : null;
  if (facts === null) return { rowId: null, changed: [], unknown };
  const rowKey = { id: row?.id ?? null, userId, provider, providerId: remote.id };
  const rowId = isChanged ? await upsertSubscription(tx, rowKey, facts) : (row?.id ?? null);
  const code = notifications.length > 0 ? await findPackageCode(tx, facts.packageId) : null;
  for (const { key, event, at } of notifications)
    await events.publish(tx, 'subscription.changed', {
      userId,
      key,
      event,
      data: {
        ...(rowId ? { subscriptionId: rowId } : {}),
        ...(code ? { packageCode: code } : {}),
        ...(at ? { at: at.toISOString() } : {}),
      },
    });
  const changed = !isChanged ? [] : row ? listChangedFields(row.facts, facts) : ['id'];
  return { rowId, changed, unknown };
}

/** Skip unknown and erased users; link to a later subscription. `isCopy`: an event's snapshot. */
async function upsertInvoiceFromProvider(
  tx: Tx,
  { payments, events }: Pick<EnabledPaymentServices, 'payments' | 'events'>,
  received: ProviderInvoice,
  isCopy: boolean,
): Promise<PaymentUpsertResult> {
  const { name: provider } = payments;
  const userId = await lockPaymentCustomerUser(tx, provider, received.customerId);
  if (userId === null) return { rowId: null, changed: [], unknown: 'CUSTOMER' };
  const row = (await findInvoicesByProviderIds(tx, provider, [received.id])).get(received.id);
  const remote = isCopy ? mergeInvoiceSnapshot(row?.facts ?? null, received) : received;
  if (remote === null) return { rowId: row?.id ?? null, changed: [], unknown: null };
  const { facts, isChanged, notifications } = applyRemoteInvoice(row?.facts ?? null, remote);
  if (facts === null) return { rowId: null, changed: [], unknown: null };
  const providerSubscriptionId = facts.providerSubscriptionId;
  const subscription = providerSubscriptionId
    ? (await findSubscriptionsByProviderIds(tx, provider, [providerSubscriptionId])).get(
        providerSubscriptionId,
      )
    : undefined;
  const rowKey = { id: row?.id ?? null, userId, provider, providerId: remote.id };
  const rowId = isChanged
    ? await upsertInvoice(tx, { ...rowKey, subscriptionId: subscription?.id ?? null }, facts)
    : (row?.id ?? null);
  const code =
    notifications.length > 0 && subscription ? await findPackageCode(tx, subscription.facts.packageId) : null;
  // A payment that is confirmed after the end pays for nothing.
  const isOver = subscription?.facts.state === 'CANCELED';
  for (const { key, event, amount, at } of notifications)
    if (!isOver || event !== 'PAYMENT_ACTION_NEEDED')
      await events.publish(tx, 'subscription.changed', {
        userId,
        key,
        event,
        data: {
          amount: String(amount),
          currency: facts.currency,
          ...(rowId ? { invoiceId: rowId } : {}),
          ...(subscription ? { subscriptionId: subscription.id } : {}),
          ...(code ? { packageCode: code } : {}),
          ...(at ? { at: at.toISOString() } : {}),
        },
      });
  const changed = !isChanged ? [] : row ? listChangedFields(row.facts, facts) : ['id'];
  return { rowId, changed, unknown: null };
}
