import type { Account } from './account.ts';
import { cardOf } from './cards.ts';
import { collect, issueInvoice } from './collection.ts';
import { periodOf, trialToldAt } from './due.ts';
import { endSubscription } from './ending.ts';
import { chargeLine, trialLine } from './invoice-lines.ts';
import { draftInvoice } from './invoices.ts';
import type { Customer, Invoice, InvoiceLine, PaymentMethod, Subscription } from './objects.ts';
import { dropPending } from './pending-update.ts';
import { addIntervals, periodEnd } from './periods.ts';
import { type Chosen, subscriptionObject } from './subscription-object.ts';
import { voidInvoice } from './voiding.ts';

/** What a new subscription is to be. */
export interface NewSubscription {
  customer: Customer;
  chosen: readonly Chosen[];
  trialEnd: number | null;
  metadata: Record<string, string>;
  card: PaymentMethod | null;
  whenTrialLacksCard?: string;
}

/** Begins a subscription with its first invoice, which is not tried to be paid yet. One of nothing is paid. */
export function beginSubscription(
  account: Account,
  wanted: NewSubscription,
): { subscription: Subscription; invoice: Invoice } {
  const { customer, chosen, trialEnd, metadata } = wanted;
  const now = account.now();
  const recurring = chosen[0]?.price.recurring;
  if (!recurring) throw new Error('a subscription to nothing');
  const end = trialEnd ?? addIntervals(now, recurring.interval, recurring.interval_count);
  const period = { start: now, end };
  const whenTrialLacksCard = wanted.whenTrialLacksCard ?? 'create_invoice';
  const subscription = subscriptionObject({
    ...{ customer, chosen, now, period, trialEnd, metadata, whenTrialLacksCard },
    card: wanted.card?.id ?? null,
  });
  const line = trialEnd === null ? chargeLine : trialLine;
  const lines = subscription.items.data.map((item) =>
    line(item, account.find('product', item.price.product), period),
  );
  account.add('subscription', subscription, 'customer.subscription.created');
  const reason = 'subscription_create';
  const at = { start: now, end: now };
  const invoice = draftInvoice(account, { customer, subscription, reason, lines, period: at });
  issueInvoice(account, invoice, subscription);
  if (invoice.status === 'paid' && subscription.status === 'incomplete')
    account.change(subscription, { status: 'active' }, 'customer.subscription.updated');
  return { subscription, invoice };
}

/** Does what is due of a subscription now. */
export function liveOn(account: Account, subscription: Subscription): void {
  const now = account.now();
  const { end } = periodOf(subscription);
  if (subscription.status === 'incomplete') {
    expire(account, subscription);
  } else if (subscription.cancel_at !== null && subscription.cancel_at <= now) {
    endSubscription(account, subscription, 'cancellation_requested');
  } else if (subscription.pending_update && subscription.pending_update.expires_at <= now) {
    dropPending(account, subscription);
  } else if (end <= now) {
    endPeriod(account, subscription);
  } else if (
    subscription.status === 'trialing' &&
    !subscription.trial_told &&
    trialToldAt(subscription) <= now
  ) {
    account.change(subscription, { trial_told: true }, 'customer.subscription.trial_will_end');
  }
}

/** Renews a subscription for its next period, whatever may be left of this one. */
export function renew(account: Account, subscription: Subscription): void {
  const before = periodOf(subscription);
  const period = nextPeriod(subscription);
  const patch: Partial<Subscription> = { items: withPeriod(subscription, period) };
  if (subscription.status === 'trialing') patch.status = 'active';
  account.change(subscription, patch, 'customer.subscription.updated');
  const customer = account.need('customer', subscription.customer);
  const pending = pendingLines(account, subscription);
  const lines = [...pending.map(({ line }) => line), ...chargesFor(account, subscription, period)];
  const draft = { customer, subscription, reason: 'subscription_cycle' as const, lines, period: before };
  const invoice = draftInvoice(account, draft);
  for (const item of pending) account.change(item, { invoice: invoice.id });
  if (subscription.status === 'unpaid') {
    // It is made, and left: nobody is asked to pay until they pay what they owe.
    account.add('invoice', { ...invoice, auto_advance: false }, 'invoice.created');
    account.change(subscription, { latest_invoice: invoice.id });
    return;
  }
  issueInvoice(account, invoice, subscription);
  if (invoice.status === 'open') collect(account, invoice, { automatic: true });
}

/** What a period costs. */
export function chargesFor(
  account: Account,
  subscription: Subscription,
  period: { start: number; end: number },
): InvoiceLine[] {
  return subscription.items.data.map((item) =>
    chargeLine(item, account.find('product', item.price.product), period),
  );
}

/** The period after the one that is paid for. */
export function nextPeriod(subscription: Subscription): { start: number; end: number } {
  const { end: start } = periodOf(subscription);
  const recurring = subscription.items.data[0]?.price.recurring;
  if (!recurring) throw new Error('a subscription without items');
  const { interval, interval_count } = recurring;
  return { start, end: periodEnd(subscription.billing_cycle_anchor, start, interval, interval_count) };
}

/** What waits to be on the next invoice. */
export function pendingLines(account: Account, subscription: Subscription) {
  return account
    .all('invoiceitem')
    .filter((item) => item.subscription === subscription.id && item.invoice === null);
}

/** The items, with another period. */
export function withPeriod(
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
  const customer = account.need('customer', subscription.customer);
  const lacksCard = subscription.status === 'trialing' && !cardOf(account, customer, subscription);
  const then = lacksCard ? subscription.trial_settings.end_behavior.missing_payment_method : '';
  if (then === 'cancel') endSubscription(account, subscription, 'cancellation_requested');
  else if (then === 'pause')
    account.change(subscription, { status: 'paused' }, 'customer.subscription.paused');
  else renew(account, subscription);
}

/** A first payment that never came. */
function expire(account: Account, subscription: Subscription): void {
  for (const invoice of account.all('invoice')) {
    const isTheirs = invoice.parent.subscription_details.subscription === subscription.id;
    if (!isTheirs || invoice.status !== 'open') continue;
    voidInvoice(account, invoice);
  }
  const patch = { status: 'incomplete_expired' as const, ended_at: account.now() };
  account.change(subscription, patch, 'customer.subscription.updated');
}
