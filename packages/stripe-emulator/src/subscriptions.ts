import type { Account } from './account.ts';
import { findPayingCard, getCardBehavior, getOrCreateCard } from './cards.ts';
import { collectPayment } from './collect-payment.ts';
import { requireCustomer } from './customers.ts';
import { DAY_SECONDS } from './due-time.ts';
import { endSubscription } from './end-subscription.ts';
import type { FormObject } from './form.ts';
import {
  parseEnum,
  parseMetadata,
  parseNumber,
  parseObject,
  parseObjectList,
  parseString,
  requireString,
} from './params.ts';
import { parsePriceSelections } from './price-selections.ts';
import type { Customer, PaymentMethod, Subscription } from './sales-objects.ts';
import {
  createCardError,
  createInvalidRequestError,
  createNotFoundError,
  StripeFailure,
} from './stripe-error.ts';
import { startSubscription } from './subscription-lifecycle.ts';

export const PAYMENT_BEHAVIORS = ['allow_incomplete', 'default_incomplete', 'error_if_incomplete'] as const;

export function createSubscription(account: Account, form: FormObject): Subscription {
  const customer = requireCustomer(account, requireString(form, 'customer'));
  const priceSelections = parsePriceSelections(account, parseObjectList(form, 'items'), 'items');
  const behavior = parseEnum(form, 'payment_behavior', PAYMENT_BEHAVIORS) ?? 'allow_incomplete';
  const trialEnd = parseTrialEnd(account, form);
  const ends = parseObject(parseObject(form, 'trial_settings'), 'end_behavior');
  const card = findRequestedCard(account, form, customer);
  const pays = card ?? findPayingCard(account, customer);
  if (!pays && trialEnd === null && behavior !== 'default_incomplete')
    throw createInvalidRequestError(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      undefined,
      'resource_missing',
    );
  if (behavior === 'error_if_incomplete' && trialEnd === null) assertFirstPayment(pays);
  const { subscription, invoice } = startSubscription(account, {
    customer,
    priceSelections,
    trialEnd,
    card,
    metadata: parseMetadata(form),
    missingCardBehavior: parseString(ends, 'missing_payment_method') ?? 'create_invoice',
  });
  if (invoice.status === 'open' && behavior !== 'default_incomplete')
    collectPayment(account, invoice, { isAutomatic: true, card: pays });
  return subscription;
}

export function cancelSubscription(account: Account, id: string, form: FormObject): Subscription {
  const subscription = account.require('subscription', id);
  if (subscription.ended_at !== null) throw createNotFoundError('subscription', id);
  const details = parseObject(form, 'cancellation_details');
  const cancellationDetails = {
    comment: parseString(details, 'comment') ?? null,
    feedback: parseString(details, 'feedback') ?? null,
  };
  return endSubscription(account, subscription, 'cancellation_requested', cancellationDetails);
}

export function pauseSubscription(account: Account, id: string): Subscription {
  const subscription = account.require('subscription', id);
  if (subscription.status !== 'active' && subscription.status !== 'trialing')
    throw createInvalidRequestError(`A subscription that is ${subscription.status} cannot be paused.`);
  const patch = { status: 'paused' as const, status_details: { paused: { type: 'subscription' } } };
  return account.update(subscription, patch, 'customer.subscription.paused');
}

export function findRequestedCard(
  account: Account,
  form: FormObject,
  customer: Customer,
): PaymentMethod | null {
  const id = parseString(form, 'default_payment_method');
  return id ? getOrCreateCard(account, id, customer, 'default_payment_method') : null;
}

export function assertFirstPayment(card: PaymentMethod | null): void {
  const behavior = getCardBehavior(card);
  if (behavior === 'declines')
    throw createCardError('Your card was declined.', 'card_declined', 'generic_decline');
  if (behavior === 'none')
    throw new StripeFailure(402, { type: 'invalid_request_error', message: 'There is no card to pay with.' });
  if (behavior === 'confirms')
    throw createCardError(
      'Payment for this subscription requires additional user action.',
      'subscription_payment_intent_requires_action',
    );
}

function parseTrialEnd(account: Account, form: FormObject): number | null {
  const now = account.getNow();
  const days = parseNumber(form, 'trial_period_days');
  if (days) return now + days * DAY_SECONDS;
  if (parseString(form, 'trial_end') === 'now') return null;
  const end = parseNumber(form, 'trial_end');
  if (end !== undefined && end <= now)
    throw createInvalidRequestError('Invalid timestamp: must be in the future.', 'trial_end');
  return end ?? null;
}
