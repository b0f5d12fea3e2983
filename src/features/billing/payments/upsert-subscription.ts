import type { Tx } from '../../../platform/database.ts';
import type { ProviderSubscription } from '../../../providers/payments/payments.port.ts';
import {
  findPackageCode,
  findPaidSubscriptions,
  findSoldPackages,
  upsertSubscription,
} from './paid-subscription.repository.ts';
import { lockCustomerUser } from './payment-customer.repository.ts';
import type { EnabledPaymentServices, UpsertResult } from './payment-services.ts';
import { applySubscription, listChangedFields } from './subscription-state.rules.ts';

/**
 * Write a subscription and notify its user of changes. Unknown and erased users are skipped, and an unknown
 * price makes no new row.
 */
export async function upsertSubscriptionFromProvider(
  tx: Tx,
  { payments, events }: Pick<EnabledPaymentServices, 'payments' | 'events'>,
  remote: ProviderSubscription,
  now: Date,
): Promise<UpsertResult> {
  const { name: provider } = payments;
  const userId = await lockCustomerUser(tx, provider, remote.customerId);
  if (userId === null) return { rowId: null, changed: [], unknown: 'CUSTOMER' };
  const row = (await findPaidSubscriptions(tx, provider, [remote.id])).get(remote.id);
  const sold = (await findSoldPackages(tx, provider, [remote.priceId])).get(remote.priceId) ?? null;
  const version = row?.version ?? 0;
  const { facts, isChanged, notifications } = applySubscription(row?.facts ?? null, remote, sold, {
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
