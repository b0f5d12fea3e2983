import type Stripe from 'stripe';
import { type PaidSubscription, PaymentError, type PaymentProvider } from '../payments.port.ts';
import { pagesOf } from './pages-of.ts';
import type { Ask } from './stripe-client.ts';
import { isAbsent, isRefused, orNull } from './stripe-failure.ts';
import { subscriptionOf } from './subscription-of.ts';

type Subscriptions = Pick<
  PaymentProvider,
  'findSubscription' | 'cancelSubscription' | 'keepSubscription' | 'listSubscriptions'
>;

/** What people have bought, and its end. */
export function createSubscriptions(ask: Ask): Subscriptions {
  const findSubscription = (id: string) =>
    orNull(ask(async (stripe) => subscriptionOf(await stripe.subscriptions.retrieve(id))));

  return {
    findSubscription,

    cancelSubscription: (id, when) =>
      ask(async (stripe) => {
        try {
          return soldHere(await ask(() => end(stripe, id, when)));
        } catch (error) {
          // One that has ended can neither be ended nor changed.
          if (!isAbsent(error) && !isRefused(error)) throw error;
          const found = await findSubscription(id);
          if (found?.state === 'CANCELED') return found;
          // What was never paid has no period that it could end with.
          if (found?.state === 'INCOMPLETE' && when === 'PERIOD_END')
            return soldHere(await end(stripe, id, 'NOW'));
          throw error;
        }
      }),

    keepSubscription: (id) => ask(async (stripe) => soldHere(await keep(stripe, id))),

    async *listSubscriptions() {
      const pages = pagesOf(ask, (stripe, page) => stripe.subscriptions.list({ status: 'all', ...page }));
      for await (const subscription of pages) {
        const sold = subscriptionOf(subscription);
        if (sold) yield sold;
      }
    },
  };
}

function end(stripe: Stripe, id: string, when: 'NOW' | 'PERIOD_END'): Promise<Stripe.Subscription> {
  return when === 'NOW'
    ? stripe.subscriptions.cancel(id)
    : stripe.subscriptions.update(id, { cancel_at_period_end: true });
}

/** Stripe takes only one of the two ways to say when it ends. */
async function keep(stripe: Stripe, id: string): Promise<Stripe.Subscription> {
  const subscription = await stripe.subscriptions.retrieve(id);
  if (subscription.cancel_at_period_end)
    return stripe.subscriptions.update(id, { cancel_at_period_end: false });
  if (subscription.cancel_at != null && subscription.status !== 'canceled')
    return stripe.subscriptions.update(id, { cancel_at: '' });
  return subscription;
}

/** Throws for one that nobody can have bought here. */
export function soldHere(subscription: Stripe.Subscription): PaidSubscription {
  const sold = subscriptionOf(subscription);
  if (!sold) throw new PaymentError('REFUSED', 'NOT_SOLD_HERE');
  return sold;
}
