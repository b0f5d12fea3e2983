import type {
  PaymentObjectReference,
  ProviderCheckout,
  ProviderInvoice,
  ProviderSubscription,
} from '../../../providers/payments/payments.port.ts';
import { listRunningSubscriptionsOfUser } from './paid-subscription.repository.ts';
import { findUserIdsByCustomer } from './payment-customer.repository.ts';
import type { EnabledPaymentServices } from './payment-services.ts';

/** What a provider says of an object now, and what else is to be looked at because of it. */
export interface RemoteState {
  /** Null for an object that has no row of its own, or that the provider does not know. */
  remote: ProviderSubscription | ProviderInvoice | null;
  checkout: ProviderCheckout | null;
  relatedSubjects: PaymentObjectReference[];
}

const EMPTY_STATE: RemoteState = { remote: null, checkout: null, relatedSubjects: [] };

/**
 * Asks a provider what it knows of an object. A row is written only by who looks at its own object, one at a time: what
 * leads to another object has that looked at. Throws PaymentError.
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
