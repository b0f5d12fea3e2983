import { getActingAccount } from '../../../platform/acting-account.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { CurrentUser } from '../../../platform/authentication.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import type { PackageOffer, ProviderChangePreview } from '../../../providers/payments/payments.port.ts';
import type { BillingInterval } from '../../../shared/billing-interval.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import { isStateWithPackage } from '../../../shared/subscription-state.ts';
import { findOfferedPackage } from './package.repository.ts';
import { getPackagePrice } from './package.rules.ts';
import { callPaymentProvider } from './provider-errors.ts';
import { runWithPriceId } from './provider-ids.ts';
import { type PurchaseServices, requireBilling, requirePaymentProvider } from './purchase-services.ts';
import { findCurrentSubscription, type SubscriptionRow } from './subscription.repository.ts';

export interface PlanChange {
  packageId: string;
  interval: BillingInterval;
}

/** @throws NO_SUBSCRIPTION, ALREADY_SUBSCRIBED for the current package, and as for unavailable packages */
export async function previewPlanChange(
  services: PurchaseServices,
  user: CurrentUser,
  change: PlanChange,
): Promise<{ subscription: SubscriptionRow; preview: ProviderChangePreview; at: Date }> {
  // Providers use whole seconds.
  const at = new Date(Math.floor(Date.now() / 1000) * 1000);
  const { subscription, offer } = await getChange(services, user, change);
  if (isSamePlan(subscription, offer))
    throw new ServiceError('ALREADY_SUBSCRIBED', {
      detail: 'The subscription already has this package and interval.',
    });
  const { payments } = requireBilling(services);
  const preview = await callPaymentProvider(() =>
    runWithPriceId({ ...services, payments }, offer, (priceId) =>
      payments.previewChange(subscription.providerId, priceId, at),
    ),
  );
  return { subscription, preview, at };
}

/**
 * Keep a change that was already made.
 * @throws PREVIEW_EXPIRED, PAYMENT_PENDING when the change waits for its payment, and as `previewPlanChange`
 */
export async function changeSubscription(
  services: PurchaseServices,
  context: RequestContext,
  user: CurrentUser,
  change: PlanChange & { previewedAt: Date },
): Promise<string> {
  const age = Date.now() - change.previewedAt.getTime();
  if (!(age >= 0 && age <= LIFETIMES_SECONDS.changePreview * 1000)) throw new ServiceError('PREVIEW_EXPIRED');
  const { subscription, offer } = await getChange(services, user, change);
  const { id, providerId, version } = subscription;
  if (isSamePlan(subscription, offer)) return id;
  const { payments } = requireBilling(services);
  const changeTo = async (priceId: string) => {
    // A change with a lost response may be complete, under another preview.
    const remote = await payments.findSubscription(providerId);
    if (remote?.priceId === priceId) return true;
    const key = `change:${id}:${version}:${priceId}:${change.previewedAt.getTime()}`;
    const changed = await payments.changeSubscription(providerId, priceId, change.previewedAt, key);
    return changed.priceId === priceId;
  };
  const isChanged = await callPaymentProvider(() =>
    runWithPriceId({ ...services, payments }, offer, changeTo),
  );
  const outcome = isChanged ? 'SUCCESS' : 'FAILURE';
  await services.syncSubscriptionNow(providerId, (tx) =>
    recordAuditEntry(tx, context, { resourceId: id, changes: ['packageId', 'interval'], outcome }),
  );
  if (!isChanged) throw new ServiceError('PAYMENT_PENDING');
  return id;
}

async function getChange(
  services: PurchaseServices,
  user: CurrentUser,
  { packageId, interval }: PlanChange,
): Promise<{ subscription: SubscriptionRow; offer: PackageOffer }> {
  const { client } = requireBilling(services).database;
  const subscription = await findCurrentSubscription(client, getActingAccount(user).id);
  if (!subscription || !isStateWithPackage(subscription.state)) throw new ServiceError('NO_SUBSCRIPTION');
  requirePaymentProvider(services, subscription.provider);
  const offered = await findOfferedPackage(client, packageId);
  if (!offered) throw new ServiceError('NOT_FOUND');
  // The currency of a subscription cannot change.
  const price = getPackagePrice(offered.prices, { interval, currency: subscription.currency });
  const { code, version, names } = offered;
  return { subscription, offer: { packageId, code, version, name: names.en ?? code, ...price } };
}

function isSamePlan(subscription: SubscriptionRow, offer: PackageOffer): boolean {
  return (
    subscription.packageId === offer.packageId &&
    subscription.packageVersion === offer.version &&
    subscription.interval === offer.interval
  );
}
