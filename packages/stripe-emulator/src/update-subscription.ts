import type { Account } from './account.ts';
import { findPayingCard, getCardBehavior } from './cards.ts';
import { collectPayment, issueInvoice } from './collect-payment.ts';
import { getCurrentPeriod } from './due-time.ts';
import type { FormObject } from './form.ts';
import { generateStripeId } from './ids.ts';
import { applyBalance, createInvoiceDraft } from './invoices.ts';
import { parseBoolean, parseEnum, parseMetadata, parseNumber, parseObject, parseString } from './params.ts';
import { createPendingUpdate, discardPendingUpdate } from './pending-update.ts';
import { planSubscriptionChange, type SubscriptionChangePlan } from './plan-subscription-change.ts';
import type { InvoiceLine, Subscription } from './sales-objects.ts';
import { createInvalidRequestError } from './stripe-error.ts';
import { renewSubscription } from './subscription-lifecycle.ts';
import { assertFirstPayment, findRequestedCard, PAYMENT_BEHAVIORS } from './subscriptions.ts';

const PARAMS_ALLOWED_AFTER_END = ['metadata', 'cancellation_details', 'expand'];

export function updateSubscription(account: Account, id: string, form: FormObject): Subscription {
  const subscription = account.require('subscription', id);
  if (
    subscription.ended_at !== null &&
    Object.keys(form).some((name) => !PARAMS_ALLOWED_AFTER_END.includes(name))
  )
    throw createInvalidRequestError(
      'A canceled subscription can only update its cancellation_details and metadata.',
    );
  const plan = 'items' in form ? planSubscriptionChange(account, subscription, form) : null;
  const customer = account.require('customer', subscription.customer);
  const card = findRequestedCard(account, form, customer);
  const behaviors = [...PAYMENT_BEHAVIORS, 'pending_if_incomplete'] as const;
  const behavior = parseEnum(form, 'payment_behavior', behaviors) ?? 'allow_incomplete';
  const lines = plan ? listImmediateLines(plan) : [];
  const { due } = applyBalance(sumAmounts(lines), customer.balance);
  const pays = card ?? findPayingCard(account, customer, subscription);
  if (behavior === 'error_if_incomplete' && due > 0) assertFirstPayment(pays);
  if (plan && subscription.pending_update) discardPendingUpdate(account, subscription);
  if (plan && behavior === 'pending_if_incomplete' && due > 0 && getCardBehavior(pays) !== 'pays') {
    createPendingUpdate(account, subscription, toItemsPatch(subscription, plan));
    createImmediateInvoice(account, subscription, plan, lines, true);
    return subscription;
  }

  account.update(
    subscription,
    {
      ...(card ? { default_payment_method: card.id } : {}),
      ...parseCancellation(account, subscription, form),
      ...(plan ? toItemsPatch(subscription, plan) : {}),
      metadata: parseMetadata(form, subscription.metadata),
      ...('description' in form ? { description: parseString(form, 'description') ?? null } : {}),
      ...parseTrialEnd(account, subscription, form),
    },
    'customer.subscription.updated',
  );
  if (plan && lines.length === 0) createPendingInvoiceItems(account, subscription, plan.prorations);
  if (plan && lines.length > 0)
    createImmediateInvoice(account, subscription, plan, lines, behavior !== 'default_incomplete');
  if (parseString(form, 'trial_end') === 'now' && subscription.status === 'trialing')
    renewSubscription(account, subscription);
  return subscription;
}

/** Resume a paused subscription with a period that starts now. */
export function resumeSubscription(account: Account, id: string): Subscription {
  const subscription = account.require('subscription', id);
  if (subscription.status !== 'paused')
    throw createInvalidRequestError('Only a subscription that is paused can be resumed.');
  const now = account.getNow();
  const data = subscription.items.data.map((item) => ({ ...item, current_period_end: now }));
  // The paused period ends here; the renewal makes the next.
  account.update(subscription, {
    billing_cycle_anchor: now,
    items: { ...subscription.items, data },
    status: 'active',
    status_details: undefined,
  });
  account.emit('customer.subscription.resumed', subscription);
  renewSubscription(account, subscription);
  return subscription;
}

function listImmediateLines(plan: SubscriptionChangePlan): InvoiceLine[] {
  if (plan.isNewPeriod) return [...plan.prorations, ...plan.newPeriodLines];
  return plan.behavior === 'always_invoice' ? plan.prorations : [];
}

function createImmediateInvoice(
  account: Account,
  subscription: Subscription,
  plan: SubscriptionChangePlan,
  lines: InvoiceLine[],
  collects: boolean,
): void {
  const customer = account.require('customer', subscription.customer);
  const period = { start: account.getNow(), end: account.getNow() };
  const reason = 'subscription_update';
  const draft = createInvoiceDraft(account, {
    customer,
    subscription,
    reason,
    lines,
    period,
    prorationDate: plan.date,
  });
  const invoice = issueInvoice(account, draft, subscription);
  if (invoice.status === 'open' && collects) collectPayment(account, invoice, { isAutomatic: true });
}

function createPendingInvoiceItems(
  account: Account,
  subscription: Subscription,
  lines: readonly InvoiceLine[],
): void {
  for (const line of lines)
    account.add(
      'invoiceitem',
      {
        id: generateStripeId('ii'),
        object: 'invoiceitem',
        amount: line.amount,
        created: account.getNow(),
        currency: subscription.currency,
        customer: subscription.customer,
        date: account.getNow(),
        description: line.description,
        discountable: false,
        invoice: null,
        line,
        livemode: false,
        metadata: {},
        period: line.period,
        proration: true,
        subscription: subscription.id,
      },
      'invoiceitem.created',
    );
}

function toItemsPatch(
  subscription: Subscription,
  plan: SubscriptionChangePlan,
): Pick<Subscription, 'items'> & { billing_cycle_anchor?: number } {
  const items = { ...subscription.items, data: plan.items, total_count: plan.items.length };
  return plan.isNewPeriod ? { items, billing_cycle_anchor: plan.isNewPeriod.start } : { items };
}

function parseCancellation(
  account: Account,
  subscription: Subscription,
  form: FormObject,
): Partial<Subscription> {
  const details = parseObject(form, 'cancellation_details');
  const cancellationDetails = {
    comment: parseString(details, 'comment') ?? subscription.cancellation_details.comment,
    feedback: parseString(details, 'feedback') ?? subscription.cancellation_details.feedback ?? null,
  };
  const atEnd = parseBoolean(form, 'cancel_at_period_end');
  const at = parseNumber(form, 'cancel_at');
  if (atEnd === undefined && !('cancel_at' in form))
    return { cancellation_details: { ...subscription.cancellation_details, ...cancellationDetails } };
  const { end } = getCurrentPeriod(subscription);
  const ends = atEnd === true || at !== undefined;
  return {
    cancel_at: ends ? (at ?? end) : null,
    cancel_at_period_end: atEnd === true,
    canceled_at: ends ? (subscription.canceled_at ?? account.getNow()) : null,
    cancellation_details: {
      ...subscription.cancellation_details,
      ...cancellationDetails,
      reason: ends ? 'cancellation_requested' : null,
    },
  };
}

function parseTrialEnd(
  account: Account,
  subscription: Subscription,
  form: FormObject,
): Partial<Subscription> {
  const text = parseString(form, 'trial_end');
  if (text === undefined) return {};
  if (subscription.status !== 'trialing')
    throw createInvalidRequestError('The subscription is not in a trial.', 'trial_end');
  const now = account.getNow();
  const end = text === 'now' ? now : (parseNumber(form, 'trial_end') ?? now);
  if (text !== 'now' && end <= now)
    throw createInvalidRequestError('Invalid timestamp: must be in the future.', 'trial_end');
  const data = subscription.items.data.map((item) => ({ ...item, current_period_end: end }));
  const items = { ...subscription.items, data };
  return { billing_cycle_anchor: end, items, trial_end: end, trial_end_notified: false };
}

function sumAmounts(lines: readonly InvoiceLine[]): number {
  return lines.reduce((total, line) => total + line.amount, 0);
}
