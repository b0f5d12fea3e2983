import type Stripe from 'stripe';
import type { Checkout, Order, PaymentProvider } from '../payments.port.ts';
import { createOnce } from './create-once.ts';
import type { Ask } from './stripe-client.ts';
import { isAbsent, isRefused, orNull } from './stripe-failure.ts';
import { idOf, localeOf, secondsOf } from './stripe-values.ts';

const STATES: ReadonlyMap<string, Checkout['state']> = new Map([
  ['open', 'OPEN'],
  ['complete', 'COMPLETED'],
  ['expired', 'EXPIRED'],
]);

/** Pages to pay on. What is paid for, by whom and where it leads to is said here, and nothing of it by a client. */
export function createCheckouts(
  ask: Ask,
): Pick<PaymentProvider, 'openCheckout' | 'findCheckout' | 'expireCheckout'> {
  const findCheckout = (id: string) =>
    orNull(ask(async (stripe) => checkoutOf(await stripe.checkout.sessions.retrieve(id))));

  return {
    openCheckout: (order, key) =>
      ask(async (stripe) => {
        const session = await createOnce(
          key,
          (idempotencyKey) => stripe.checkout.sessions.create(detailsOf(order, key), { idempotencyKey }),
          () => findOpen(stripe, order.customerId, key),
        );
        return checkoutOf(session);
      }),

    findCheckout,

    expireCheckout: (id) =>
      ask(async () => {
        try {
          await ask((stripe) => stripe.checkout.sessions.expire(id));
        } catch (error) {
          if (isAbsent(error)) return;
          const isOver = isRefused(error) && (await findCheckout(id))?.state !== 'OPEN';
          if (!isOver) throw error;
        }
      }),
  };
}

function detailsOf(order: Order, key: string): Stripe.Checkout.SessionCreateParams {
  const { customerId, priceId, userId } = order;
  return {
    mode: 'subscription',
    customer: customerId,
    client_reference_id: userId,
    line_items: [{ price: priceId, quantity: 1 }],
    metadata: { userId, key },
    subscription_data: { metadata: { userId } },
    success_url: order.successUrl,
    cancel_url: order.cancelUrl,
    locale: localeOf(order.language),
    expires_at: secondsOf(order.expiresAt),
  };
}

async function findOpen(
  stripe: Stripe,
  customer: string,
  key: string,
): Promise<Stripe.Checkout.Session | null> {
  const { data } = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 });
  return data.find((session) => session.metadata?.key === key) ?? null;
}

/** Null is the state of a page that Stripe does not hold itself. */
function checkoutOf(session: Stripe.Checkout.Session): Checkout {
  const state = STATES.get(session.status ?? '') ?? 'EXPIRED';
  return {
    id: session.id,
    state,
    url: state === 'OPEN' ? session.url : null,
    subscriptionId: idOf(session.subscription),
  };
}
