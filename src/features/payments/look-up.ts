import type {
  PaymentObjectReference,
  ProviderCheckout,
  ProviderInvoice,
  ProviderSubscription,
} from '../../providers/payments/payments.port.ts';
import { runningSubscriptionsOf } from './paid-subscription.repository.ts';
import { findPayers } from './payment-customer.repository.ts';
import type { SellingServices } from './payment-services.ts';

/** What a provider says of an object now, and what else is to be looked at because of it. */
export interface Finding {
  /** Null for an object that has no row of its own, or that the provider does not know. */
  seen: ProviderSubscription | ProviderInvoice | null;
  checkout: ProviderCheckout | null;
  also: PaymentObjectReference[];
}

const NOTHING: Finding = { seen: null, checkout: null, also: [] };

/**
 * Asks a provider what it knows of an object. A row is written only by who looks at its own object, one at a time: what
 * leads to another object has that looked at. Throws PaymentError.
 */
export async function lookUp(
  { payments, paymentRateLimiter: paymentPace, database }: SellingServices,
  { object, id }: PaymentObjectReference,
): Promise<Finding> {
  if (object === 'CUSTOMER') {
    const userId = (await findPayers(database.client, payments.name, [id])).get(id);
    const running = userId ? await runningSubscriptionsOf(database.client, payments.name, userId) : [];
    return { ...NOTHING, also: running.map((one) => ({ object: 'SUBSCRIPTION', id: one })) };
  }
  await paymentPace.turn();
  switch (object) {
    case 'SUBSCRIPTION':
      return { ...NOTHING, seen: await payments.findSubscription(id) };
    case 'INVOICE':
      return { ...NOTHING, seen: await payments.findInvoice(id) };
    case 'CHECKOUT': {
      const checkout = await payments.findCheckout(id);
      const bought = checkout?.subscriptionId;
      return { ...NOTHING, checkout, also: bought ? [{ object: 'SUBSCRIPTION', id: bought }] : [] };
    }
    case 'CHARGE': {
      const invoice = await payments.findInvoiceOfCharge(id);
      return { ...NOTHING, also: invoice ? [{ object: 'INVOICE', id: invoice }] : [] };
    }
  }
}
