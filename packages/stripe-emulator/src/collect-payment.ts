import type { Account } from './account.ts';
import { findPayingCard } from './cards.ts';
import { DAY_SECONDS } from './due-time.ts';
import { endSubscription } from './end-subscription.ts';
import { finalizeInvoice } from './invoices.ts';
import { attemptPayment, markPaid, type PaymentOutcome } from './payments.ts';
import { applyPendingUpdate, isPendingUpdateInvoice } from './pending-update.ts';
import type { Invoice, PaymentMethod, Subscription } from './sales-objects.ts';

/** Delays after each failed attempt; none follows the last. */
const RETRY_AFTER_DAYS = [3, 5, 7];

/** Add and finalize an invoice. A zero amount is paid immediately. */
export function issueInvoice(account: Account, invoice: Invoice, subscription: Subscription): Invoice {
  account.add('invoice', invoice, 'invoice.created');
  account.update(subscription, { latest_invoice: invoice.id });
  finalizeInvoice(account, invoice);
  if (invoice.amount_due === 0) markPaid(account, invoice, 0);
  return invoice;
}

/** Attempt a payment. @param options.automatic whether the attempt is scheduled and followed by another */
export function collectPayment(
  account: Account,
  invoice: Invoice,
  options: { isAutomatic: boolean; card?: PaymentMethod | null; isConfirmed?: boolean },
): PaymentOutcome {
  const subscription = account.require('subscription', invoice.parent.subscription_details.subscription);
  const customer = account.require('customer', invoice.customer);
  const card = options.card === undefined ? findPayingCard(account, customer, subscription) : options.card;
  if (options.isAutomatic) account.update(invoice, { attempt_count: invoice.attempt_count + 1 });
  const outcome = attemptPayment(account, invoice, card, options.isConfirmed);
  if (outcome === 'paid') applyPaymentSuccess(account, invoice, subscription);
  else applyPaymentFailure(account, invoice, subscription, outcome, options.isAutomatic);
  return outcome;
}

function applyPaymentSuccess(account: Account, invoice: Invoice, subscription: Subscription): void {
  if (isPendingUpdateInvoice(invoice, subscription)) applyPendingUpdate(account, subscription);
  const waits = ['incomplete', 'past_due', 'unpaid'].includes(subscription.status);
  if (!waits || subscription.latest_invoice !== invoice.id) return;
  const isTrial = subscription.trial_end !== null && subscription.trial_end > account.getNow();
  account.update(subscription, { status: isTrial ? 'trialing' : 'active' }, 'customer.subscription.updated');
  const customer = account.require('customer', invoice.customer);
  if (customer.delinquent) account.update(customer, { delinquent: false }, 'customer.updated');
}

function applyPaymentFailure(
  account: Account,
  invoice: Invoice,
  subscription: Subscription,
  outcome: PaymentOutcome,
  automatic: boolean,
): void {
  // A first payment cannot be past due.
  const isFirst =
    invoice.billing_reason === 'subscription_create' || isPendingUpdateInvoice(invoice, subscription);
  const days = RETRY_AFTER_DAYS[invoice.attempt_count - 1];
  const ends = automatic && !isFirst && days === undefined;
  if (automatic && !isFirst) {
    const next = days === undefined ? null : account.getNow() + days * DAY_SECONDS;
    account.update(invoice, { auto_advance: !ends, next_payment_attempt: next });
  }
  if (outcome === 'action') account.emit('invoice.payment_action_required', invoice);
  account.emit('invoice.payment_failed', invoice);
  account.emit('invoice.updated', invoice);
  if (subscription.ended_at !== null || isFirst) return;
  if (subscription.status === 'active' || subscription.status === 'trialing')
    account.update(subscription, { status: 'past_due' }, 'customer.subscription.updated');
  const customer = account.require('customer', invoice.customer);
  if (!customer.delinquent) account.update(customer, { delinquent: true }, 'customer.updated');
  if (ends) endUnpaidSubscription(account, subscription);
}

function endUnpaidSubscription(account: Account, subscription: Subscription): void {
  if (account.unpaidSubscriptionAction === 'cancel') endSubscription(account, subscription, 'payment_failed');
  if (account.unpaidSubscriptionAction === 'unpaid')
    account.update(subscription, { status: 'unpaid' }, 'customer.subscription.updated');
}
