import type { CheckoutSession, Invoice, StripeObject, Subscription } from './sales-objects.ts';

export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;

/** Time for the first payment. */
const INCOMPLETE_EXPIRY_SECONDS = 23 * HOUR_SECONDS;
const TRIAL_NOTICE_SECONDS = 3 * DAY_SECONDS;

/** Get the time at which an object changes by itself, in seconds; null for never. */
export function getDueTime(object: StripeObject): number | null {
  if (object.object === 'subscription') return getSubscriptionDueTime(object as Subscription);
  if (object.object === 'invoice') return (object as Invoice).next_payment_attempt;
  if (object.object === 'checkout.session') {
    const { status, expires_at } = object as CheckoutSession;
    return status === 'open' ? expires_at : null;
  }
  return null;
}

export function getTrialNoticeTime({ trial_start, trial_end }: Subscription): number {
  return Math.max((trial_end ?? 0) - TRIAL_NOTICE_SECONDS, trial_start ?? 0);
}

/** Get the paid period, which all items share. */
export function getCurrentPeriod(subscription: Subscription): { start: number; end: number } {
  const [item] = subscription.items.data;
  if (!item) throw new Error('the subscription has no items');
  return { start: item.current_period_start, end: item.current_period_end };
}

function getSubscriptionDueTime(subscription: Subscription): number | null {
  const { status, cancel_at } = subscription;
  if (status === 'incomplete') return subscription.created + INCOMPLETE_EXPIRY_SECONDS;
  if (status === 'canceled' || status === 'incomplete_expired' || status === 'paused') return null;
  const { end } = getCurrentPeriod(subscription);
  const next = Math.min(end, cancel_at ?? end, subscription.pending_update?.expires_at ?? end);
  // `trial_end_notified` is an internal field, never returned.
  return status === 'trialing' && !subscription.trial_end_notified
    ? Math.min(next, getTrialNoticeTime(subscription))
    : next;
}
