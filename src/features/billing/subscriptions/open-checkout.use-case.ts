import { getActingAccount } from '../../../platform/acting-account.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { CurrentUser } from '../../../platform/authentication.ts';
import type { Db, Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import type { PackageOffer, ProviderCheckout } from '../../../providers/payments/payments.port.ts';
import type { BillingInterval } from '../../../shared/billing-interval.ts';
import { collectFieldErrors, type FieldError, ServiceError } from '../../../shared/errors.ts';
import { toSupportedLocale } from '../../../shared/i18n/choose-locale.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import { lockUserPayments } from '../payments/payment.repository.ts';
import {
  type CheckoutRow,
  completeCheckoutRow,
  expireCheckoutRow,
  findOpenCheckout,
  findUnsyncedPaidCheckout,
  insertCheckout,
  isSubscriptionStored,
  storeCheckoutSessionId,
} from './checkout.repository.ts';
import { findOfferedPackage } from './package.repository.ts';
import { getPackagePrice } from './package.rules.ts';
import { callPaymentProvider } from './provider-errors.ts';
import { runWithCustomerId, runWithPriceId } from './provider-ids.ts';
import { type EnabledPurchaseServices, getPaymentReturnUrl } from './purchase-services.ts';
import { hasBillableSubscription } from './subscription.repository.ts';

/** Minimum remaining lifetime of a checkout session that is returned to a user. */
const MIN_REMAINING_MS = 45 * 60 * 1000;

/** Attempts after a session turned out to have ended. */
const MAX_ATTEMPTS = 4;

interface CheckoutInput {
  packageId: string;
  interval: BillingInterval;
  currency?: string | undefined;
}

export interface CheckoutLink {
  id: string;
  url: string;
}

/**
 * Calls the provider between transactions by an idempotency key, so the next call resumes an interrupted one.
 * @throws ALREADY_SUBSCRIBED, NOT_FOUND for a package that is not on offer, VALIDATION_FAILED for one without
 * such a price, PROVIDER_UNAVAILABLE, PAYMENT_DECLINED
 */
export async function openCheckout(
  services: EnabledPurchaseServices,
  context: RequestContext,
  user: CurrentUser,
  choice: CheckoutInput,
): Promise<CheckoutLink> {
  const { database, payments } = services;
  const offer = await getOffer(services, choice);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const { row, isWanted } = await database.transaction((tx) =>
      chooseCheckout(tx, payments.name, getActingAccount(user).id, offer),
    );
    if (!isWanted) {
      await callPaymentProvider(() => expireCheckoutPage(services, row));
      continue;
    }
    const page = await callPaymentProvider(() =>
      row.sessionId
        ? payments.findCheckout(row.sessionId)
        : openCheckoutPage(services, context, user, row, offer),
    );
    if (page?.state === 'OPEN' && page.url) return { id: row.id, url: page.url };
    await callPaymentProvider(() => completeCheckout(services, row, page));
  }
  throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
}

/** Store what a user has just paid for, without waiting for the webhook. @throws PROVIDER_UNAVAILABLE, PAYMENT_DECLINED */
export async function syncPaidCheckout(services: EnabledPurchaseServices, accountId: string): Promise<void> {
  const { database, payments } = services;
  const row = await database.transaction(async (tx) => {
    await lockUserPayments(tx, accountId);
    return (await findUnsyncedPaidCheckout(tx, accountId, payments.name)) ?? findOpenCheckout(tx, accountId);
  });
  if (!row?.sessionId || row.provider !== payments.name) return;
  const { sessionId } = row;
  await callPaymentProvider(async () => {
    const page = await payments.findCheckout(sessionId);
    if (page?.state === 'COMPLETED') await completeCheckout(services, row, page);
  });
}

async function getOffer({ database }: EnabledPurchaseServices, choice: CheckoutInput): Promise<PackageOffer> {
  const offered = await findOfferedPackage(database.client, choice.packageId);
  if (!offered) throw new ServiceError('NOT_FOUND');
  const { id: packageId, code, version, names, prices } = offered;
  return { packageId, code, version, name: names.en ?? code, ...getPackagePrice(prices, choice) };
}

/** Find what the package of a choice rules out. */
export async function findCheckoutErrors(db: Db, choice: Partial<CheckoutInput>): Promise<FieldError[]> {
  const offered = choice.packageId === undefined ? null : await findOfferedPackage(db, choice.packageId);
  return offered ? collectFieldErrors(() => getPackagePrice(offered.prices, choice)) : [];
}

/** A session whose URL is unknown ends here. */
async function chooseCheckout(
  tx: Tx,
  provider: string,
  accountId: string,
  offer: PackageOffer,
): Promise<{ row: CheckoutRow; isWanted: boolean }> {
  await lockUserPayments(tx, accountId);
  if (await hasBillableSubscription(tx, accountId)) throw new ServiceError('ALREADY_SUBSCRIBED');
  const { packageId, version: packageVersion, interval, currency } = offer;
  const choice = { provider, packageId, packageVersion, interval, currency };
  // The subscription is stored shortly after the payment; no other session opens in between.
  const paid = await findUnsyncedPaidCheckout(tx, accountId, provider);
  if (paid) return { row: paid, isWanted: false };
  const open = await findOpenCheckout(tx, accountId);
  if (open) {
    const isSame = Object.entries(choice).every(([name, value]) => Reflect.get(open, name) === value);
    if (isSame && open.expiresAt.getTime() - Date.now() > MIN_REMAINING_MS)
      return { row: open, isWanted: true };
    if (open.sessionId !== null && open.provider === provider) return { row: open, isWanted: false };
    await expireCheckoutRow(tx, open);
  }
  const expiresAt = new Date(Date.now() + LIFETIMES_SECONDS.checkout * 1000);
  return { row: await insertCheckout(tx, accountId, choice, expiresAt), isWanted: true };
}

/** @throws CONFLICT when the user chose another package meanwhile */
async function openCheckoutPage(
  services: EnabledPurchaseServices,
  context: RequestContext,
  user: CurrentUser,
  row: CheckoutRow,
  offer: PackageOffer,
): Promise<ProviderCheckout> {
  const { database, payments } = services;
  const page = await createProviderCheckout(services, user, row, offer);
  const stored = await database.transaction(async (tx) => {
    // Otherwise another request could return the session while it expires.
    await lockUserPayments(tx, getActingAccount(user).id);
    const result = await storeCheckoutSessionId(tx, row, page.id);
    if (result === 'KEPT') await recordAuditEntry(tx, context, { resourceId: row.id });
    return result;
  });
  if (stored !== 'ENDED') return page;
  // Nobody knows its URL.
  await payments.expireCheckout(page.id);
  throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
}

/** A paid session stays. */
async function expireCheckoutPage(services: EnabledPurchaseServices, row: CheckoutRow): Promise<void> {
  const { payments } = services;
  if (row.sessionId === null) return;
  await payments.expireCheckout(row.sessionId);
  await completeCheckout(services, row, await payments.findCheckout(row.sessionId));
}

/** Nothing else is sold until the subscription is stored; a purchase of no package of ours is logged. */
async function completeCheckout(
  services: EnabledPurchaseServices,
  row: CheckoutRow,
  page: ProviderCheckout | null,
): Promise<void> {
  const { database, syncSubscriptionNow } = services;
  if (page?.state === 'OPEN') throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
  const providerSubscriptionId =
    page?.state === 'COMPLETED' ? page.subscriptionId : row.providerSubscriptionId;
  const isSynced =
    providerSubscriptionId !== null && (await syncSubscriptionNow(providerSubscriptionId, async () => {}));
  await database.transaction(async (tx) => {
    const isOurs =
      providerSubscriptionId !== null &&
      (!isSynced || (await isSubscriptionStored(tx, row, providerSubscriptionId)));
    if (page?.state === 'COMPLETED' || row.state === 'COMPLETED')
      await completeCheckoutRow(tx, row, isOurs ? providerSubscriptionId : null);
    else await expireCheckoutRow(tx, row);
  });
}

/** Create one session for the row. @throws PaymentError */
function createProviderCheckout(
  services: EnabledPurchaseServices,
  user: CurrentUser,
  row: CheckoutRow,
  offer: PackageOffer,
): Promise<ProviderCheckout> {
  const { payments } = services;
  return runWithCustomerId(services, user, (customerId) =>
    runWithPriceId(services, offer, (priceId) => {
      const order = {
        customerId,
        priceId,
        userId: getActingAccount(user).id,
        expiresAt: row.expiresAt,
        successUrl: getPaymentReturnUrl(services, user, '/checkout/done'),
        cancelUrl: getPaymentReturnUrl(services, user, '/checkout/back'),
        language: toSupportedLocale(user.language).tag,
      };
      return payments.openCheckout(order, `checkout:${row.id}`);
    }),
  );
}
