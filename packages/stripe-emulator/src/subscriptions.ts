import type { Account } from './account.ts';
import { behaviorOf, cardOf, takeCard } from './cards.ts';
import { readChosen } from './chosen.ts';
import { collect } from './collection.ts';
import { needCustomer } from './customers.ts';
import { DAY } from './due.ts';
import { endSubscription } from './ending.ts';
import type { Form } from './form.ts';
import { beginSubscription } from './life.ts';
import type { Customer, PaymentMethod, Subscription } from './objects.ts';
import { metadataOf, needText, numberOf, objectOf, objectsOf, textOf, wordOf } from './params.ts';
import { cardError, invalid, noSuch, StripeFailure } from './stripe-error.ts';

/** What becomes of what cannot be paid at once. */
export const PAYMENT_BEHAVIORS = ['allow_incomplete', 'default_incomplete', 'error_if_incomplete'] as const;

/** Begins a subscription without a page. */
export function createSubscription(account: Account, form: Form): Subscription {
  const customer = needCustomer(account, needText(form, 'customer'));
  const chosen = readChosen(account, objectsOf(form, 'items'), 'items');
  const behavior = wordOf(form, 'payment_behavior', PAYMENT_BEHAVIORS) ?? 'allow_incomplete';
  const trialEnd = trialEndOf(account, form);
  const ends = objectOf(objectOf(form, 'trial_settings'), 'end_behavior');
  const card = chosenCard(account, form, customer);
  const pays = card ?? cardOf(account, customer);
  if (!pays && trialEnd === null && behavior !== 'default_incomplete')
    throw invalid(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      undefined,
      'resource_missing',
    );
  if (behavior === 'error_if_incomplete' && trialEnd === null) refuseUnlessPaid(pays);
  const { subscription, invoice } = beginSubscription(account, {
    ...{ customer, chosen, trialEnd, card },
    metadata: metadataOf(form),
    whenTrialLacksCard: textOf(ends, 'missing_payment_method') ?? 'create_invoice',
  });
  if (invoice.status === 'open' && behavior !== 'default_incomplete')
    collect(account, invoice, { automatic: true, card: pays });
  return subscription;
}

/** Ends a subscription at once. One that has ended is not there any more for this. */
export function cancelSubscription(account: Account, id: string, form: Form): Subscription {
  const subscription = account.need('subscription', id);
  if (subscription.ended_at !== null) throw noSuch('subscription', id);
  const details = objectOf(form, 'cancellation_details');
  const told = { comment: textOf(details, 'comment') ?? null, feedback: textOf(details, 'feedback') ?? null };
  return endSubscription(account, subscription, 'cancellation_requested', told);
}

/** Pauses a subscription: nothing is charged until it is resumed. */
export function pauseSubscription(account: Account, id: string): Subscription {
  const subscription = account.need('subscription', id);
  if (subscription.status !== 'active' && subscription.status !== 'trialing')
    throw invalid(`A subscription that is ${subscription.status} cannot be paused.`);
  const patch = { status: 'paused' as const, status_details: { paused: { type: 'subscription' } } };
  return account.change(subscription, patch, 'customer.subscription.paused');
}

/** The card that a form names for a subscription. */
export function chosenCard(account: Account, form: Form, customer: Customer): PaymentMethod | null {
  const id = textOf(form, 'default_payment_method');
  return id ? takeCard(account, id, customer, 'default_payment_method') : null;
}

/** Refuses what must be paid at once where the card would not. */
export function refuseUnlessPaid(card: PaymentMethod | null): void {
  const behavior = behaviorOf(card);
  if (behavior === 'declines') throw cardError('Your card was declined.', 'card_declined', 'generic_decline');
  if (behavior === 'none')
    throw new StripeFailure(402, { type: 'invalid_request_error', message: 'There is no card to pay with.' });
  if (behavior === 'confirms')
    throw cardError(
      'Payment for this subscription requires additional user action.',
      'subscription_payment_intent_requires_action',
    );
}

function trialEndOf(account: Account, form: Form): number | null {
  const now = account.now();
  const days = numberOf(form, 'trial_period_days');
  if (days) return now + days * DAY;
  if (textOf(form, 'trial_end') === 'now') return null;
  const end = numberOf(form, 'trial_end');
  if (end !== undefined && end <= now)
    throw invalid('Invalid timestamp: must be in the future.', 'trial_end');
  return end ?? null;
}
