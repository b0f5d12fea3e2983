import type { Tx } from '../../../platform/database.ts';
import type { ProviderInvoice } from '../../../providers/payments/payments.port.ts';
import { applyInvoice, mergeInvoiceSnapshot } from './invoice-state.rules.ts';
import { findPaidInvoices, upsertInvoice } from './paid-invoice.repository.ts';
import { findPackageCode, findPaidSubscriptions } from './paid-subscription.repository.ts';
import { lockCustomerUser } from './payment-customer.repository.ts';
import type { EnabledPaymentServices, UpsertResult } from './payment-services.ts';
import { listChangedFields } from './subscription-state.rules.ts';

/**
 * Write an invoice and notify its user of changes. An invoice before its subscription is linked later.
 * Unknown and erased users are skipped.
 * @param isCopy whether the state is an event's snapshot
 */
export async function upsertInvoiceFromProvider(
  tx: Tx,
  { payments, events }: Pick<EnabledPaymentServices, 'payments' | 'events'>,
  received: ProviderInvoice,
  isCopy: boolean,
): Promise<UpsertResult> {
  const { name: provider } = payments;
  const userId = await lockCustomerUser(tx, provider, received.customerId);
  if (userId === null) return { rowId: null, changed: [], unknown: 'CUSTOMER' };
  const row = (await findPaidInvoices(tx, provider, [received.id])).get(received.id);
  const remote = isCopy ? mergeInvoiceSnapshot(row?.facts ?? null, received) : received;
  if (remote === null) return { rowId: row?.id ?? null, changed: [], unknown: null };
  const { facts, isChanged, notifications } = applyInvoice(row?.facts ?? null, remote);
  if (facts === null) return { rowId: null, changed: [], unknown: null };
  const providerSubscriptionId = facts.providerSubscriptionId;
  const subscription = providerSubscriptionId
    ? (await findPaidSubscriptions(tx, provider, [providerSubscriptionId])).get(providerSubscriptionId)
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
