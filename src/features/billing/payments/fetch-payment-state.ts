import type {
  PaymentObjectReference,
  ProviderCheckout,
  ProviderSubscription,
} from '../../../providers/payments/payments.port.ts';
import {
  findAccountIdsByCustomerIds,
  findOpenCheckoutSessionId,
  findPackageVersionsByPriceIds,
  hasReversedPayment,
  listRunningSubscriptionIds,
} from './payment.repository.ts';
import type { EnabledPaymentServices, RemotePaymentState } from './payment-services.ts';

const EMPTY_STATE: RemotePaymentState = { remote: null, checkout: null, relatedSubjects: [] };

/** Ask the provider. Related objects are only reported: each row has one writer. @throws PaymentError */
export async function fetchPaymentState(
  services: EnabledPaymentServices,
  { object, id }: PaymentObjectReference,
): Promise<RemotePaymentState> {
  const { payments, paymentRateLimiter, database } = services;
  if (object === 'CUSTOMER') {
    const accountId = (await findAccountIdsByCustomerIds(database.client, payments.name, [id])).get(id);
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
