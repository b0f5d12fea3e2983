import type {
  PaymentObjectReference,
  ProviderCheckout,
  ProviderInvoice,
  ProviderSubscription,
} from '../../../providers/payments/payments.port.ts';
import { listRunningSubscriptionsOfUser } from './paid-subscription.repository.ts';
import { findUserIdsByCustomer } from './payment-customer.repository.ts';
import type { EnabledPaymentServices } from './payment-services.ts';

export interface RemoteState {
  /** Null for an object without a row of its own, or unknown to the provider. */
  remote: ProviderSubscription | ProviderInvoice | null;
  checkout: ProviderCheckout | null;
  relatedSubjects: PaymentObjectReference[];
}

const EMPTY_STATE: RemoteState = { remote: null, checkout: null, relatedSubjects: [] };

/**
 * Fetch the current state of an object from the provider. Related objects are only reported and synced on
 * their own, so each row has one writer.
 * @throws PaymentError
 */
export async function fetchRemote(
  { payments, paymentRateLimiter, database }: EnabledPaymentServices,
  { object, id }: PaymentObjectReference,
): Promise<RemoteState> {
  if (object === 'CUSTOMER') {
    const userId = (await findUserIdsByCustomer(database.client, payments.name, [id])).get(id);
    const running = userId
      ? await listRunningSubscriptionsOfUser(database.client, payments.name, userId)
      : [];
    return { ...EMPTY_STATE, relatedSubjects: running.map((one) => ({ object: 'SUBSCRIPTION', id: one })) };
  }
  await paymentRateLimiter.acquire();
  switch (object) {
    case 'SUBSCRIPTION':
      return { ...EMPTY_STATE, remote: await payments.findSubscription(id) };
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
