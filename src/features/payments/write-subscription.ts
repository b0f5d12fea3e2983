import type { Tx } from '../../platform/database.ts';
import type { ProviderSubscription } from '../../providers/payments/payments.port.ts';
import {
  findPaidSubscriptions,
  findSoldPackages,
  packageCode,
  writeSubscription,
} from './paid-subscription.repository.ts';
import { lockPayer } from './payment-customer.repository.ts';
import type { SellingServices, Written } from './payment-services.ts';
import { applySubscription, changedFields } from './subscription-state.rules.ts';

/**
 * Writes what a provider says of a subscription, and tells its person what changed by it. Nothing is written of
 * somebody who is not known or was erased, and no row is made at a price that is not known.
 */
export async function writeSeenSubscription(
  tx: Tx,
  { payments, tellPayment }: Pick<SellingServices, 'payments' | 'tellPayment'>,
  seen: ProviderSubscription,
  now: Date,
): Promise<Written> {
  const { name: provider } = payments;
  const userId = await lockPayer(tx, provider, seen.customerId);
  if (userId === null) return { rowId: null, changed: [], unknown: 'CUSTOMER' };
  const row = (await findPaidSubscriptions(tx, provider, [seen.id])).get(seen.id);
  const sold = (await findSoldPackages(tx, provider, [seen.priceId])).get(seen.priceId) ?? null;
  const version = row?.version ?? 0;
  const { facts, isChanged, news } = applySubscription(row?.facts ?? null, seen, sold, { now, version });
  // What has ended needs no price any more.
  const unknown = sold === null && row?.facts.state !== 'CANCELED' ? 'PRICE' : null;
  if (facts === null) return { rowId: null, changed: [], unknown };
  const place = { id: row?.id ?? null, userId, provider, providerId: seen.id };
  const rowId = isChanged ? await writeSubscription(tx, place, facts) : (row?.id ?? null);
  const code = news.length > 0 ? await packageCode(tx, facts.packageId) : null;
  for (const { key, event, at } of news)
    await tellPayment(tx, {
      ...{ userId, key, event },
      data: {
        ...(rowId ? { subscriptionId: rowId } : {}),
        ...(code ? { packageCode: code } : {}),
        ...(at ? { at: at.toISOString() } : {}),
      },
    });
  const changed = !isChanged ? [] : row ? changedFields(row.facts, facts) : ['id'];
  return { rowId, changed, unknown };
}
