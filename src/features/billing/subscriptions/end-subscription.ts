import { recordAuditEntry } from '../../../platform/audit.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { callPaymentProvider } from './provider-errors.ts';
import { type PurchaseServices, requirePaymentProvider } from './purchase-services.ts';
import { findSubscription, type SubscriptionRow } from './subscription.repository.ts';
import { applyProviderSubscriptionState } from './subscription.view.ts';

interface OwnSubscription {
  accountId: string;
  id: string;
}

/**
 * Cancel a subscription now or at the end of the paid period; a repeat changes nothing.
 * @throws NOT_FOUND, BILLING_DISABLED, PROVIDER_UNAVAILABLE, PAYMENT_DECLINED
 */
export async function cancelOwnSubscription(
  services: PurchaseServices,
  context: RequestContext,
  key: OwnSubscription,
  when: 'PERIOD_END' | 'NOW',
): Promise<SubscriptionRow> {
  const row = await requireOwnSubscription(services, key);
  const isAlreadyRequested = row.state === 'CANCELED' || (when === 'PERIOD_END' && row.cancelAtPeriodEnd);
  if (isAlreadyRequested) return row;
  const provider = requirePaymentProvider(services, row.provider);
  const paid = await callPaymentProvider(() => provider.cancelSubscription(row.providerId, when));
  await services.syncSubscriptionNow(row.providerId, (tx) =>
    recordAuditEntry(tx, context, { resourceId: row.id, changes: [when] }),
  );
  return applyProviderSubscriptionState(await requireOwnSubscription(services, key), paid);
}

/**
 * Undo a cancellation at the end of the paid period; a repeat changes nothing.
 * @throws NOT_FOUND, SUBSCRIPTION_ENDED, BILLING_DISABLED, PROVIDER_UNAVAILABLE, PAYMENT_DECLINED
 */
export async function keepOwnSubscription(
  services: PurchaseServices,
  context: RequestContext,
  key: OwnSubscription,
): Promise<SubscriptionRow> {
  const row = await requireOwnSubscription(services, key);
  if (row.state === 'CANCELED') throw new ServiceError('SUBSCRIPTION_ENDED');
  if (!row.cancelAtPeriodEnd) return row;
  const provider = requirePaymentProvider(services, row.provider);
  const paid = await callPaymentProvider(() => provider.undoCancellation(row.providerId));
  await services.syncSubscriptionNow(row.providerId, (tx) =>
    recordAuditEntry(tx, context, { resourceId: row.id }),
  );
  return applyProviderSubscriptionState(await requireOwnSubscription(services, key), paid);
}

/** @throws NOT_FOUND when absent or of another user */
async function requireOwnSubscription(
  { database }: Pick<PurchaseServices, 'database'>,
  { accountId, id }: OwnSubscription,
): Promise<SubscriptionRow> {
  const row = await findSubscription(database.client, accountId, id);
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}
