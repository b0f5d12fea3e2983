import type { Tx } from '../../platform/database.ts';
import type { ProviderInvoice } from '../../providers/payments/payments.port.ts';
import { applyInvoice, withoutLoss } from './invoice-state.rules.ts';
import { findPaidInvoices, writeInvoice } from './paid-invoice.repository.ts';
import { findPaidSubscriptions, packageCode } from './paid-subscription.repository.ts';
import { lockPayer } from './payment-customer.repository.ts';
import type { SellingServices, Written } from './payment-services.ts';
import { changedFields } from './subscription-state.rules.ts';

/**
 * Writes what a provider says of an invoice, and tells its person what changed by it. One that comes before its
 * subscription is found by it later. Nothing is written of somebody who is not known or was erased.
 * @param isCopy whether an event said it, and not the provider now
 */
export async function writeSeenInvoice(
  tx: Tx,
  { payments, tellPayment }: Pick<SellingServices, 'payments' | 'tellPayment'>,
  told: ProviderInvoice,
  isCopy: boolean,
): Promise<Written> {
  const { name: provider } = payments;
  const userId = await lockPayer(tx, provider, told.customerId);
  if (userId === null) return { rowId: null, changed: [], unknown: 'CUSTOMER' };
  const row = (await findPaidInvoices(tx, provider, [told.id])).get(told.id);
  const seen = isCopy ? withoutLoss(row?.facts ?? null, told) : told;
  if (seen === null) return { rowId: row?.id ?? null, changed: [], unknown: null };
  const { facts, isChanged, news } = applyInvoice(row?.facts ?? null, seen);
  if (facts === null) return { rowId: null, changed: [], unknown: null };
  const wanted = facts.providerSubscriptionId;
  const bought = wanted ? (await findPaidSubscriptions(tx, provider, [wanted])).get(wanted) : undefined;
  const place = { id: row?.id ?? null, userId, provider, providerId: seen.id };
  const rowId = isChanged
    ? await writeInvoice(tx, { ...place, subscriptionId: bought?.id ?? null }, facts)
    : (row?.id ?? null);
  const code = news.length > 0 && bought ? await packageCode(tx, bought.facts.packageId) : null;
  // Who confirms a payment of what has ended pays for nothing.
  const isOver = bought?.facts.state === 'CANCELED';
  for (const { key, event, amount, at } of news)
    if (!isOver || event !== 'PAYMENT_ACTION_NEEDED')
      await tellPayment(tx, {
        ...{ userId, key, event },
        data: {
          ...{ amount: String(amount), currency: facts.currency },
          ...(rowId ? { invoiceId: rowId } : {}),
          ...(bought ? { subscriptionId: bought.id } : {}),
          ...(code ? { packageCode: code } : {}),
          ...(at ? { at: at.toISOString() } : {}),
        },
      });
  const changed = !isChanged ? [] : row ? changedFields(row.facts, facts) : ['id'];
  return { rowId, changed, unknown: null };
}
