import type { Account } from './account.ts';
import { cardOf } from './cards.ts';
import { DAY } from './due.ts';
import { endSubscription } from './ending.ts';
import { finalizeInvoice } from './invoices.ts';
import type { Invoice, PaymentMethod, Subscription } from './objects.ts';
import { attemptPayment, markPaid, type Outcome } from './payments.ts';
import { applyPending, isAwaited } from './pending-update.ts';

/** Days after each failed attempt until the next; after the last there is none. */
const RETRY_AFTER_DAYS = [3, 5, 7];

/** Keeps a new invoice and makes it final. One of nothing is paid by that. */
export function issueInvoice(account: Account, invoice: Invoice, subscription: Subscription): Invoice {
  account.add('invoice', invoice, 'invoice.created');
  account.change(subscription, { latest_invoice: invoice.id });
  finalizeInvoice(account, invoice);
  if (invoice.amount_due === 0) markPaid(account, invoice, 0);
  return invoice;
}

/**
 * Tries to be paid for an open invoice, and draws the consequences for the subscription.
 * @param options.automatic whether it is an attempt of the schedule, after which another follows
 */
export function collect(
  account: Account,
  invoice: Invoice,
  options: { automatic: boolean; card?: PaymentMethod | null; confirmed?: boolean },
): Outcome {
  const subscription = account.need('subscription', invoice.parent.subscription_details.subscription);
  const customer = account.need('customer', invoice.customer);
  const card = options.card === undefined ? cardOf(account, customer, subscription) : options.card;
  if (options.automatic) account.change(invoice, { attempt_count: invoice.attempt_count + 1 });
  const outcome = attemptPayment(account, invoice, card, options.confirmed);
  if (outcome === 'paid') afterPayment(account, invoice, subscription);
  else afterFailure(account, invoice, subscription, outcome, options.automatic);
  return outcome;
}

/** What a payment means for its subscription. */
export function afterPayment(account: Account, invoice: Invoice, subscription: Subscription): void {
  if (isAwaited(invoice, subscription)) applyPending(account, subscription);
  const waits = ['incomplete', 'past_due', 'unpaid'].includes(subscription.status);
  if (!waits || subscription.latest_invoice !== invoice.id) return;
  const isTrial = subscription.trial_end !== null && subscription.trial_end > account.now();
  account.change(subscription, { status: isTrial ? 'trialing' : 'active' }, 'customer.subscription.updated');
  const customer = account.need('customer', invoice.customer);
  if (customer.delinquent) account.change(customer, { delinquent: false }, 'customer.updated');
}

function afterFailure(
  account: Account,
  invoice: Invoice,
  subscription: Subscription,
  outcome: Outcome,
  automatic: boolean,
): void {
  // Nothing has begun that could be past due.
  const isFirst = invoice.billing_reason === 'subscription_create' || isAwaited(invoice, subscription);
  const days = RETRY_AFTER_DAYS[invoice.attempt_count - 1];
  const ends = automatic && !isFirst && days === undefined;
  if (automatic && !isFirst) {
    const next = days === undefined ? null : account.now() + days * DAY;
    account.change(invoice, { auto_advance: !ends, next_payment_attempt: next });
  }
  if (outcome === 'action') account.emit('invoice.payment_action_required', invoice);
  account.emit('invoice.payment_failed', invoice);
  account.emit('invoice.updated', invoice);
  if (subscription.ended_at !== null || isFirst) return;
  if (subscription.status === 'active' || subscription.status === 'trialing')
    account.change(subscription, { status: 'past_due' }, 'customer.subscription.updated');
  const customer = account.need('customer', invoice.customer);
  if (!customer.delinquent) account.change(customer, { delinquent: true }, 'customer.updated');
  if (ends) giveUp(account, subscription);
}

function giveUp(account: Account, subscription: Subscription): void {
  if (account.afterRetries === 'cancel') endSubscription(account, subscription, 'payment_failed');
  if (account.afterRetries === 'unpaid')
    account.change(subscription, { status: 'unpaid' }, 'customer.subscription.updated');
}
