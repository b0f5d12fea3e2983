import type Stripe from 'stripe';
import { BILLING_INTERVALS } from '../../../shared/billing-interval.ts';
import { isStateWithPackage, type SubscriptionState } from '../../../shared/subscription-state.ts';
import { PaymentError, type ProviderSubscription } from '../payments.port.ts';
import { fromUnixSeconds, getStripeObjectId } from './stripe-values.ts';

const SUBSCRIPTION_STATE_BY_STATUS: ReadonlyMap<string, SubscriptionState> = new Map([
  ['incomplete', 'INCOMPLETE'],
  ['incomplete_expired', 'CANCELED'],
  ['trialing', 'TRIALING'],
  ['active', 'ACTIVE'],
  ['past_due', 'PAST_DUE'],
  ['unpaid', 'UNPAID'],
  ['paused', 'PAUSED'],
  ['canceled', 'CANCELED'],
]);

/** Convert a subscription; null for one that was not sold here, such as a weekly one. */
export function toProviderSubscription(subscription: Stripe.Subscription): ProviderSubscription | null {
  const item = subscription.items.data[0];
  const recurring = item?.price.recurring;
  if (!item || !recurring || recurring.interval_count !== 1) return null;
  const interval = BILLING_INTERVALS.find((one) => one === recurring.interval);
  if (!interval) return null;

  const state = toSubscriptionState(subscription);
  const { current_period_start: start, current_period_end: end } = item;
  const ended = subscription.ended_at ?? subscription.canceled_at ?? subscription.created;
  return {
    object: 'SUBSCRIPTION',
    id: subscription.id,
    customerId: getStripeObjectId(subscription.customer),
    priceId: item.price.id,
    interval,
    currency: subscription.currency.toUpperCase(),
    state,
    currentPeriodStart: fromUnixSeconds(start),
    currentPeriodEnd: fromUnixSeconds(end),
    cancelAtPeriodEnd: isCanceledAtPeriodEnd(subscription, end),
    trialEndsAt: fromUnixSeconds(subscription.trial_end),
    canceledAt: fromUnixSeconds(subscription.canceled_at),
    endedAt: state === 'CANCELED' ? fromUnixSeconds(ended) : null,
    startedAt: fromUnixSeconds(subscription.start_date),
  };
}

function toSubscriptionState({ status, pause_collection }: Stripe.Subscription): SubscriptionState {
  const state = SUBSCRIPTION_STATE_BY_STATUS.get(status);
  if (!state) throw new PaymentError('REFUSED', 'UNKNOWN_STATUS');
  // With a paused collection the package is not paid for.
  return pause_collection && isStateWithPackage(state) ? 'PAUSED' : state;
}

/** Check `cancel_at` too, which Stripe's pages set; an earlier end is not one at the period end. */
function isCanceledAtPeriodEnd(subscription: Stripe.Subscription, periodEnd: number): boolean {
  const { cancel_at_period_end, cancel_at, ended_at } = subscription;
  if (cancel_at_period_end) return true;
  if (cancel_at === null || cancel_at > periodEnd) return false;
  return ended_at === null || ended_at >= cancel_at;
}
