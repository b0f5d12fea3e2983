import type Stripe from 'stripe';
import type { CheckoutOrder, PaymentProvider, ProviderCheckout } from '../payments.port.ts';
import { createStripeObjectIdempotently } from './create-with-idempotency-key.ts';
import type { StripeCall } from './stripe-client.ts';
import {
  isPaymentCallRefusedError,
  isPaymentObjectNotFoundError,
  nullIfPaymentObjectNotFound,
} from './stripe-errors.ts';
import { getStripeObjectId, toStripeLocale, toUnixSeconds } from './stripe-values.ts';

const CHECKOUT_STATES: ReadonlyMap<string, ProviderCheckout['state']> = new Map([
  ['open', 'OPEN'],
  ['complete', 'COMPLETED'],
  ['expired', 'EXPIRED'],
]);

/** Create the methods; customer, price and return URLs come from the service, never from a client. */
export function createStripeCheckoutMethods(
  callStripe: StripeCall,
): Pick<PaymentProvider, 'openCheckout' | 'findCheckout' | 'expireCheckout'> {
  const findCheckout = (id: string) =>
    nullIfPaymentObjectNotFound(
      callStripe(async (stripe) => toProviderCheckout(await stripe.checkout.sessions.retrieve(id))),
    );

  return {
    openCheckout: (order, key) =>
      callStripe(async (stripe) => {
        const session = await createStripeObjectIdempotently(
          key,
          (idempotencyKey) =>
            stripe.checkout.sessions.create(toSessionParams(order, key), { idempotencyKey }),
          () => findOpenSession(stripe, order.customerId, key),
        );
        return toProviderCheckout(session);
      }),

    findCheckout,

    expireCheckout: (id) =>
      callStripe(async () => {
        try {
          await callStripe((stripe) => stripe.checkout.sessions.expire(id));
        } catch (error) {
          if (isPaymentObjectNotFoundError(error)) return;
          const isOver = isPaymentCallRefusedError(error) && (await findCheckout(id))?.state !== 'OPEN';
          if (!isOver) throw error;
        }
      }),
  };
}

function toSessionParams(order: CheckoutOrder, key: string): Stripe.Checkout.SessionCreateParams {
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
    locale: toStripeLocale(order.language),
    expires_at: toUnixSeconds(order.expiresAt),
  };
}

async function findOpenSession(
  stripe: Stripe,
  customer: string,
  key: string,
): Promise<Stripe.Checkout.Session | null> {
  const { data } = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 });
  return data.find((session) => session.metadata?.key === key) ?? null;
}

/** Null is the status of a session in setup mode. */
function toProviderCheckout(session: Stripe.Checkout.Session): ProviderCheckout {
  const state = CHECKOUT_STATES.get(session.status ?? '') ?? 'EXPIRED';
  return {
    id: session.id,
    state,
    url: state === 'OPEN' ? session.url : null,
    subscriptionId: getStripeObjectId(session.subscription),
  };
}
