import type Stripe from 'stripe';
import { PaymentError, type PaymentProvider, type ProviderSubscription } from '../payments.port.ts';
import { iterateAllPages } from './iterate-all-pages.ts';
import type { StripeCall } from './stripe-client.ts';
import {
  isPaymentCallRefusedError,
  isPaymentObjectNotFoundError,
  nullIfPaymentObjectNotFound,
} from './stripe-errors.ts';
import { toProviderSubscription } from './to-provider-subscription.ts';

type SubscriptionMethods = Pick<
  PaymentProvider,
  'findSubscription' | 'cancelSubscription' | 'undoCancellation' | 'listSubscriptions'
>;

export function createStripeSubscriptionMethods(callStripe: StripeCall): SubscriptionMethods {
  const findSubscription = (id: string) =>
    nullIfPaymentObjectNotFound(
      callStripe(async (stripe) => toProviderSubscription(await stripe.subscriptions.retrieve(id))),
    );

  return {
    findSubscription,

    cancelSubscription: (id, when) =>
      callStripe(async (stripe) => {
        try {
          return requireProviderSubscription(await callStripe(() => endSubscription(stripe, id, when)));
        } catch (error) {
          // An ended subscription can be neither canceled nor changed.
          if (!isPaymentObjectNotFoundError(error) && !isPaymentCallRefusedError(error)) throw error;
          const found = await findSubscription(id);
          if (found?.state === 'CANCELED') return found;
          // An unpaid subscription has no period.
          if (found?.state === 'INCOMPLETE' && when === 'PERIOD_END')
            return requireProviderSubscription(await endSubscription(stripe, id, 'NOW'));
          throw error;
        }
      }),

    undoCancellation: (id) =>
      callStripe(async (stripe) => requireProviderSubscription(await undoCancellation(stripe, id))),

    async *listSubscriptions() {
      const pages = iterateAllPages(callStripe, (stripe, page) =>
        stripe.subscriptions.list({ status: 'all', ...page }),
      );
      for await (const subscription of pages) {
        const supported = toProviderSubscription(subscription);
        if (supported) yield supported;
      }
    },
  };
}

function endSubscription(
  stripe: Stripe,
  id: string,
  when: 'NOW' | 'PERIOD_END',
): Promise<Stripe.Subscription> {
  return when === 'NOW'
    ? stripe.subscriptions.cancel(id)
    : stripe.subscriptions.update(id, { cancel_at_period_end: true });
}

/** Stripe accepts only one of the two ways to set the end. */
async function undoCancellation(stripe: Stripe, id: string): Promise<Stripe.Subscription> {
  const subscription = await stripe.subscriptions.retrieve(id);
  if (subscription.cancel_at_period_end)
    return stripe.subscriptions.update(id, { cancel_at_period_end: false });
  if (subscription.cancel_at != null && subscription.status !== 'canceled')
    return stripe.subscriptions.update(id, { cancel_at: '' });
  return subscription;
}

/** @throws PaymentError for a subscription that was not sold here */
export function requireProviderSubscription(subscription: Stripe.Subscription): ProviderSubscription {
  const supported = toProviderSubscription(subscription);
  if (!supported) throw new PaymentError('REFUSED', 'NOT_SOLD_HERE');
  return supported;
}
