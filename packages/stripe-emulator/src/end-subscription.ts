import type { Account } from './account.ts';
import type { Subscription } from './sales-objects.ts';

export type SubscriptionEndReason = 'cancellation_requested' | 'payment_failed' | 'payment_disputed';

export function endSubscription(
  account: Account,
  subscription: Subscription,
  reason: SubscriptionEndReason,
  details: { comment?: string | null; feedback?: string | null } = {},
): Subscription {
  const now = account.getNow();
  const { cancel_at, cancel_at_period_end } = subscription;
  for (const invoice of account.list('invoice')) {
    const isTheirs = invoice.parent.subscription_details.subscription === subscription.id;
    if (!isTheirs || (invoice.status !== 'open' && invoice.status !== 'draft')) continue;
    account.update(invoice, { auto_advance: false, next_payment_attempt: null }, 'invoice.updated');
  }
  return account.update(
    subscription,
    {
      // Kept only when the subscription ended with its period.
      cancel_at_period_end: cancel_at_period_end && cancel_at !== null && cancel_at <= now,
      canceled_at: subscription.canceled_at ?? now,
      cancellation_details: { ...subscription.cancellation_details, ...details, reason },
      ended_at: now,
      status: 'canceled',
    },
    'customer.subscription.deleted',
  );
}
