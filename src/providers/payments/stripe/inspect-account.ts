import { PaymentError } from '../payments.port.ts';
import { createStripeCall } from './stripe-client.ts';
import type { StripeSettings } from './stripe-payment-provider.ts';

export { loadStripeLibrary } from './stripe-client.ts';

const LIMITS = { operation: 4_500, request: 4_500, retries: 0 };

/** Without one of these a change arrives only with the daily reconciliation. */
export const REQUIRED_STRIPE_EVENTS = [
  'charge.dispute.closed',
  'charge.dispute.created',
  'charge.refunded',
  'checkout.session.completed',
  'checkout.session.expired',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.updated',
  'invoice.created',
  'invoice.finalized',
  'invoice.marked_uncollectible',
  'invoice.paid',
  'invoice.payment_action_required',
  'invoice.payment_failed',
  'invoice.updated',
  'invoice.voided',
  'refund.created',
  'refund.failed',
  'refund.updated',
] as const;

export interface StripeAccountState {
  /** Null where the key may not list endpoints. */
  webhook: { isEnabled: boolean; missingEvents: string[] } | 'ABSENT' | null;
}

/** Ask Stripe whether the key works and whether events are sent to `webhookUrl`. @throws PaymentError */
export async function readStripeAccountState(
  { secretKey, apiBase }: Pick<StripeSettings, 'secretKey' | 'apiBase'>,
  webhookUrl: string,
): Promise<StripeAccountState> {
  const callStripe = createStripeCall(secretKey, apiBase, LIMITS);
  // A restricted key has this right in any case.
  await callStripe((stripe) => stripe.prices.list({ limit: 1 }));
  try {
    const { data } = await callStripe((stripe) => stripe.webhookEndpoints.list({ limit: 100 }));
    const endpoints = data.filter(({ url }) => url === webhookUrl);
    const endpoint = endpoints.find(({ status }) => status === 'enabled') ?? endpoints[0];
    if (!endpoint) return { webhook: 'ABSENT' };
    const { enabled_events: events, status } = endpoint;
    const missingEvents = events.includes('*')
      ? []
      : REQUIRED_STRIPE_EVENTS.filter((event) => !events.includes(event));
    return { webhook: { isEnabled: status === 'enabled', missingEvents } };
  } catch (error) {
    if (error instanceof PaymentError && error.failure === 'CREDENTIALS') return { webhook: null };
    throw error;
  }
}
