import type { Account } from './account.ts';
import { findPayingCard } from './cards.ts';
import { collectPayment, issueInvoice } from './collect-payment.ts';
import { getCurrentPeriod, getTrialNoticeTime } from './due-time.ts';
import { endSubscription } from './end-subscription.ts';
import { createChargeLine, createTrialLine } from './invoice-lines.ts';
import { createInvoiceDraft } from './invoices.ts';
import { discardPendingUpdate } from './pending-update.ts';
import { addIntervals, computePeriodEnd } from './periods.ts';
import type { Customer, Invoice, InvoiceLine, PaymentMethod, Subscription } from './sales-objects.ts';
import { createSubscriptionObject, type PriceSelection } from './subscription-object.ts';
import { voidInvoice } from './void-invoice.ts';

export interface NewSubscription {
  customer: Customer;
  priceSelections: readonly PriceSelection[];
  trialEnd: number | null;
  metadata: Record<string, string>;
  card: PaymentMethod | null;
  missingCardBehavior?: string;
}

/** Start a subscription with an unpaid first invoice. A zero amount is paid immediately. */
export function startSubscription(
  account: Account,
  wanted: NewSubscription,
): { subscription: Subscription; invoice: Invoice } {
  const { customer, priceSelections, trialEnd, metadata } = wanted;
  const now = account.getNow();
  const recurring = priceSelections[0]?.price.recurring;
  if (!recurring) throw new Error('the subscription has no recurring price');
  const end = trialEnd ?? addIntervals(now, recurring.interval, recurring.interval_count);
  const period = { start: now, end };
  const whenTrialLacksCard = wanted.missingCardBehavior ?? 'create_invoice';
  const subscription = createSubscriptionObject({
    customer,
    chosen: priceSelections,
    now,
    period,
    trialEnd,
    metadata,
    whenTrialLacksCard,
    card: wanted.card?.id ?? null,
  });
  const line = trialEnd === null ? createChargeLine : createTrialLine;
  const lines = subscription.items.data.map((item) =>
    line(item, account.find('product', item.price.product), period),
  );
  account.add('subscription', subscription, 'customer.subscription.created');
  const reason = 'subscription_create';
  const at = { start: now, end: now };
  const invoice = createInvoiceDraft(account, { customer, subscription, reason, lines, period: at });
  issueInvoice(account, invoice, subscription);
  if (invoice.status === 'paid' && subscription.status === 'incomplete')
    account.update(subscription, { status: 'active' }, 'customer.subscription.updated');
  return { subscription, invoice };
}

export function processDueSubscription(account: Account, subscription: Subscription): void {
  const now = account.getNow();
  const { end } = getCurrentPeriod(subscription);
  if (subscription.status === 'incomplete') {
    expireIncompleteSubscription(account, subscription);
  } else if (subscription.cancel_at !== null && subscription.cancel_at <= now) {
    endSubscription(account, subscription, 'cancellation_requested');
  } else if (subscription.pending_update && subscription.pending_update.expires_at <= now) {
    discardPendingUpdate(account, subscription);
  } else if (end <= now) {
    endPeriod(account, subscription);
  } else if (
    subscription.status === 'trialing' &&
    !subscription.trial_end_notified &&
    getTrialNoticeTime(subscription) <= now
  ) {
    account.update(subscription, { trial_end_notified: true }, 'customer.subscription.trial_will_end');
  }
}

/** Renew a subscription, also before its period ends. */
export function renewSubscription(account: Account, subscription: Subscription): void {
  const before = getCurrentPeriod(subscription);
  const period = getNextPeriod(subscription);
  const patch: Partial<Subscription> = { items: setItemPeriods(subscription, period) };
  if (subscription.status === 'trialing') patch.status = 'active';
  account.update(subscription, patch, 'customer.subscription.updated');
  const customer = account.require('customer', subscription.customer);
  const pending = listPendingInvoiceItems(account, subscription);
  const lines = [...pending.map(({ line }) => line), ...createPeriodLines(account, subscription, period)];
  const draft = { customer, subscription, reason: 'subscription_cycle' as const, lines, period: before };
  const invoice = createInvoiceDraft(account, draft);
  for (const item of pending) account.update(item, { invoice: invoice.id });
  if (subscription.status === 'unpaid') {
    // The invoice is not collected until the customer pays the debt.
    account.add('invoice', { ...invoice, auto_advance: false }, 'invoice.created');
    account.update(subscription, { latest_invoice: invoice.id });
    return;
  }
  issueInvoice(account, invoice, subscription);
  if (invoice.status === 'open') collectPayment(account, invoice, { isAutomatic: true });
}

export function createPeriodLines(
  account: Account,
  subscription: Subscription,
  period: { start: number; end: number },
): InvoiceLine[] {
  return subscription.items.data.map((item) =>
    createChargeLine(item, account.find('product', item.price.product), period),
  );
}

export function getNextPeriod(subscription: Subscription): { start: number; end: number } {
  const { end: start } = getCurrentPeriod(subscription);
  const recurring = subscription.items.data[0]?.price.recurring;
  if (!recurring) throw new Error('the subscription has no items');
  const { interval, interval_count } = recurring;
  return { start, end: computePeriodEnd(subscription.billing_cycle_anchor, start, interval, interval_count) };
}

export function listPendingInvoiceItems(account: Account, subscription: Subscription) {
  return account
    .list('invoiceitem')
    .filter((item) => item.subscription === subscription.id && item.invoice === null);
}

function setItemPeriods(
  subscription: Subscription,
  period: { start: number; end: number },
): Subscription['items'] {
  const data = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: period.start,
    current_period_end: period.end,
  }));
  return { ...subscription.items, data };
}

function endPeriod(account: Account, subscription: Subscription): void {
  if (subscription.cancel_at_period_end) {
    endSubscription(account, subscription, 'cancellation_requested');
    return;
  }
  const customer = account.require('customer', subscription.customer);
  const lacksCard = subscription.status === 'trialing' && !findPayingCard(account, customer, subscription);
  const then = lacksCard ? subscription.trial_settings.end_behavior.missing_payment_method : '';
  if (then === 'cancel') endSubscription(account, subscription, 'cancellation_requested');
  else if (then === 'pause')
    account.update(subscription, { status: 'paused' }, 'customer.subscription.paused');
  else renewSubscription(account, subscription);
}

function expireIncompleteSubscription(account: Account, subscription: Subscription): void {
  for (const invoice of account.list('invoice')) {
    const isTheirs = invoice.parent.subscription_details.subscription === subscription.id;
    if (!isTheirs || invoice.status !== 'open') continue;
    voidInvoice(account, invoice);
  }
  const patch = { status: 'incomplete_expired' as const, ended_at: account.getNow() };
  account.update(subscription, patch, 'customer.subscription.updated');
}
