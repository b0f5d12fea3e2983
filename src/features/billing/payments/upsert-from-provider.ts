import { insertAuditEntry } from '../../../platform/audit.repository.ts';
import type { Tx } from '../../../platform/database.ts';
import type {
  ProviderInvoice,
  ProviderSubscription,
  SubscriptionClosure,
} from '../../../providers/payments/payments.port.ts';
import { applyRemoteInvoice } from './invoice-state.rules.ts';
import {
  findInvoicesByProviderIds,
  findPackageCode,
  findPackageVersionsByPriceIds,
  findSubscriptionsByProviderIds,
  lockPaymentCustomerUser,
  lockUserPayments,
  markCheckoutSessionEnded,
  type PaymentSubscriptionRow,
  upsertInvoice,
  upsertSubscription,
} from './payment.repository.ts';
import type { EnabledPaymentServices, PaymentUpsertResult, RemotePaymentState } from './payment-services.ts';
import {
  applyRemoteSubscription,
  listChangedFields,
  type PaymentStateTransition,
  type SubscriptionFields,
} from './subscription-state.rules.ts';

/** A reconciliation records an audit event. */
export type PaymentSyncCause = 'payment-sync' | 'billing-reconcile';

const NOTHING_WRITTEN: PaymentUpsertResult = { rowId: null, changed: [], unknown: null };

/** The transaction must have the object's lease. */
export async function upsertPaymentObjectFromProvider(
  tx: Tx,
  services: EnabledPaymentServices,
  { remote, checkout }: Pick<RemotePaymentState, 'remote' | 'checkout'>,
  { now, cause }: { now: Date; cause: PaymentSyncCause },
): Promise<PaymentUpsertResult> {
  if (checkout && checkout.state !== 'OPEN')
    await markCheckoutSessionEnded(tx, services.payments.name, { ...checkout, state: checkout.state });
  if (!remote) return NOTHING_WRITTEN;
  const written =
    remote.object === 'SUBSCRIPTION'
      ? await upsertSubscriptionFromProvider(tx, services, remote, now)
      : await upsertInvoiceFromProvider(tx, services, remote);
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
  services: Pick<EnabledPaymentServices, 'payments' | 'events'>,
  remote: ProviderSubscription,
  now: Date,
): Promise<PaymentUpsertResult> {
  const { name: provider } = services.payments;
  const accountId = await lockPaymentCustomerUser(tx, provider, remote.customerId);
  if (accountId === null) return { rowId: null, changed: [], unknown: 'CUSTOMER' };
  const row = (await findSubscriptionsByProviderIds(tx, provider, [remote.id])).get(remote.id);
  const sold =
    (await findPackageVersionsByPriceIds(tx, provider, [remote.priceId])).get(remote.priceId) ?? null;
  const version = row?.version ?? 0;
  const transition = applyRemoteSubscription(row?.facts ?? null, remote, sold, { now, version });
  // A canceled subscription needs no price.
  const unknown = sold === null && row?.facts.state !== 'CANCELED' ? 'PRICE' : null;
  if (transition.facts === null) return { rowId: null, changed: [], unknown };
  return {
    ...(await storeTransition(tx, services, { accountId, providerId: remote.id, row }, transition)),
    unknown,
  };
}

/** End a known subscription that the provider has deleted, as an event reports it. */
export async function closeAbsentSubscription(
  tx: Tx,
  services: Pick<EnabledPaymentServices, 'payments' | 'events'>,
  providerId: string,
  { canceledAt, endedAt }: SubscriptionClosure,
  now: Date,
): Promise<PaymentUpsertResult> {
  const findRow = async () =>
    (await findSubscriptionsByProviderIds(tx, services.payments.name, [providerId])).get(providerId);
  const known = await findRow();
  if (known) await lockUserPayments(tx, known.accountId);
  const row = await findRow();
  if (!row) return NOTHING_WRITTEN;
  const remote = { ...row.facts, id: providerId, state: 'CANCELED', canceledAt, endedAt };
  const transition = applyRemoteSubscription(row.facts, remote, null, { now, version: row.version });
  return storeTransition(tx, services, { accountId: row.accountId, providerId, row }, transition);
}

async function storeTransition(
  tx: Tx,
  { payments, events }: Pick<EnabledPaymentServices, 'payments' | 'events'>,
  {
    accountId,
    providerId,
    row,
  }: { accountId: string; providerId: string; row: PaymentSubscriptionRow | undefined },
  { facts, isChanged, notifications }: PaymentStateTransition<SubscriptionFields>,
): Promise<PaymentUpsertResult> {
  if (facts === null) return NOTHING_WRITTEN;
  const rowKey = { id: row?.id ?? null, accountId, provider: payments.name, providerId };
  const rowId = isChanged ? await upsertSubscription(tx, rowKey, facts) : (row?.id ?? null);
  const code = notifications.length > 0 ? await findPackageCode(tx, facts.packageId) : null;
  for (const { key, event, at } of notifications)
    await events.publish(tx, event, {
      accountId,
      key,
      data: {
        ...(rowId ? { subscriptionId: rowId } : {}),
        ...(code ? { packageCode: code } : {}),
        ...(at ? { at: at.toISOString() } : {}),
      },
    });
  const changed = !isChanged ? [] : row ? listChangedFields(row.facts, facts) : ['id'];
  return { rowId, changed, unknown: null };
}

/** Skip unknown and erased users; link to a later subscription. */
async function upsertInvoiceFromProvider(
  tx: Tx,
  { payments, events }: Pick<EnabledPaymentServices, 'payments' | 'events'>,
  remote: ProviderInvoice,
): Promise<PaymentUpsertResult> {
  const { name: provider } = payments;
  const accountId = await lockPaymentCustomerUser(tx, provider, remote.customerId);
  if (accountId === null) return { rowId: null, changed: [], unknown: 'CUSTOMER' };
  const row = (await findInvoicesByProviderIds(tx, provider, [remote.id])).get(remote.id);
  const { facts, isChanged, notifications } = applyRemoteInvoice(row?.facts ?? null, remote);
  if (facts === null) return { rowId: null, changed: [], unknown: null };
  const providerSubscriptionId = facts.providerSubscriptionId;
  const linked = providerSubscriptionId
    ? (await findSubscriptionsByProviderIds(tx, provider, [providerSubscriptionId])).get(
        providerSubscriptionId,
      )
    : undefined;
  const subscription = linked?.accountId === accountId ? linked : undefined;
  const rowKey = { id: row?.id ?? null, accountId, provider, providerId: remote.id };
  const rowId = isChanged
    ? await upsertInvoice(tx, { ...rowKey, subscriptionId: subscription?.id ?? null }, facts)
    : (row?.id ?? null);
  const code =
    notifications.length > 0 && subscription ? await findPackageCode(tx, subscription.facts.packageId) : null;
  // A payment that is confirmed after the end pays for nothing.
  const isOver = subscription?.facts.state === 'CANCELED';
  for (const { key, event, amount, at } of notifications)
    if (!isOver || event !== 'payment.action_required')
      await events.publish(tx, event, {
        accountId,
        key,
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
