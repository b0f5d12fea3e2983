import type { Account } from './account.ts';
import { behaviorOf, cardOf } from './cards.ts';
import { type ChangePlan, planChange } from './change-plan.ts';
import { collect, issueInvoice } from './collection.ts';
import { periodOf } from './due.ts';
import type { Form } from './form.ts';
import { newId } from './ids.ts';
import { applyBalance, draftInvoice } from './invoices.ts';
import { renew } from './life.ts';
import type { InvoiceLine, Subscription } from './objects.ts';
import { flagOf, metadataOf, numberOf, objectOf, textOf, wordOf } from './params.ts';
import { dropPending, holdBack } from './pending-update.ts';
import { invalid } from './stripe-error.ts';
import { chosenCard, PAYMENT_BEHAVIORS, refuseUnlessPaid } from './subscriptions.ts';

const AFTER_THE_END = ['metadata', 'cancellation_details', 'expand'];

/** Changes a subscription: its items with what is prorated for it, its end, its card, what hangs on it. */
export function updateSubscription(account: Account, id: string, form: Form): Subscription {
  const subscription = account.need('subscription', id);
  if (subscription.ended_at !== null && Object.keys(form).some((name) => !AFTER_THE_END.includes(name)))
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.');
  const plan = 'items' in form ? planChange(account, subscription, form) : null;
  const customer = account.need('customer', subscription.customer);
  const card = chosenCard(account, form, customer);
  const behaviors = [...PAYMENT_BEHAVIORS, 'pending_if_incomplete'] as const;
  const behavior = wordOf(form, 'payment_behavior', behaviors) ?? 'allow_incomplete';
  const lines = plan ? linesNow(plan) : [];
  const { due } = applyBalance(sum(lines), customer.balance);
  const pays = card ?? cardOf(account, customer, subscription);
  if (behavior === 'error_if_incomplete' && due > 0) refuseUnlessPaid(pays);
  if (plan && subscription.pending_update) dropPending(account, subscription);
  if (plan && behavior === 'pending_if_incomplete' && due > 0 && behaviorOf(pays) !== 'pays') {
    holdBack(account, subscription, itemsOf(subscription, plan));
    invoiceNow(account, subscription, plan, lines, true);
    return subscription;
  }

  account.change(
    subscription,
    {
      ...(card ? { default_payment_method: card.id } : {}),
      ...endOf(account, subscription, form),
      ...(plan ? itemsOf(subscription, plan) : {}),
      metadata: metadataOf(form, subscription.metadata),
      ...('description' in form ? { description: textOf(form, 'description') ?? null } : {}),
      ...trialOf(account, subscription, form),
    },
    'customer.subscription.updated',
  );
  if (plan && lines.length === 0) keepForNext(account, subscription, plan.prorations);
  if (plan && lines.length > 0)
    invoiceNow(account, subscription, plan, lines, behavior !== 'default_incomplete');
  if (textOf(form, 'trial_end') === 'now' && subscription.status === 'trialing') renew(account, subscription);
  return subscription;
}

/** Takes a paused subscription up again, with a period that begins now. */
export function resumeSubscription(account: Account, id: string): Subscription {
  const subscription = account.need('subscription', id);
  if (subscription.status !== 'paused') throw invalid('Only a subscription that is paused can be resumed.');
  const now = account.now();
  const data = subscription.items.data.map((item) => ({ ...item, current_period_end: now }));
  // The period that was paused ends with the pause, and the renewal makes the next.
  account.change(subscription, {
    billing_cycle_anchor: now,
    items: { ...subscription.items, data },
    status: 'active',
    status_details: undefined,
  });
  account.emit('customer.subscription.resumed', subscription);
  renew(account, subscription);
  return subscription;
}

function linesNow(plan: ChangePlan): InvoiceLine[] {
  if (plan.freshPeriod) return [...plan.prorations, ...plan.freshCharges];
  return plan.behavior === 'always_invoice' ? plan.prorations : [];
}

function invoiceNow(
  account: Account,
  subscription: Subscription,
  plan: ChangePlan,
  lines: InvoiceLine[],
  collects: boolean,
): void {
  const customer = account.need('customer', subscription.customer);
  const period = { start: account.now(), end: account.now() };
  const reason = 'subscription_update';
  const draft = draftInvoice(account, {
    customer,
    subscription,
    reason,
    lines,
    period,
    prorationDate: plan.date,
  });
  const invoice = issueInvoice(account, draft, subscription);
  if (invoice.status === 'open' && collects) collect(account, invoice, { automatic: true });
}

function keepForNext(account: Account, subscription: Subscription, lines: readonly InvoiceLine[]): void {
  for (const line of lines)
    account.add(
      'invoiceitem',
      {
        id: newId('ii'),
        object: 'invoiceitem',
        amount: line.amount,
        created: account.now(),
        currency: subscription.currency,
        customer: subscription.customer,
        date: account.now(),
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

function itemsOf(
  subscription: Subscription,
  plan: ChangePlan,
): Pick<Subscription, 'items'> & { billing_cycle_anchor?: number } {
  const items = { ...subscription.items, data: plan.items, total_count: plan.items.length };
  return plan.freshPeriod ? { items, billing_cycle_anchor: plan.freshPeriod.start } : { items };
}

function endOf(account: Account, subscription: Subscription, form: Form): Partial<Subscription> {
  const details = objectOf(form, 'cancellation_details');
  const told = {
    comment: textOf(details, 'comment') ?? subscription.cancellation_details.comment,
    feedback: textOf(details, 'feedback') ?? subscription.cancellation_details.feedback ?? null,
  };
  const atEnd = flagOf(form, 'cancel_at_period_end');
  const at = numberOf(form, 'cancel_at');
  if (atEnd === undefined && !('cancel_at' in form))
    return { cancellation_details: { ...subscription.cancellation_details, ...told } };
  const { end } = periodOf(subscription);
  const ends = atEnd === true || at !== undefined;
  return {
    cancel_at: ends ? (at ?? end) : null,
    cancel_at_period_end: atEnd === true,
    canceled_at: ends ? (subscription.canceled_at ?? account.now()) : null,
    cancellation_details: {
      ...subscription.cancellation_details,
      ...told,
      reason: ends ? 'cancellation_requested' : null,
    },
  };
}

function trialOf(account: Account, subscription: Subscription, form: Form): Partial<Subscription> {
  const text = textOf(form, 'trial_end');
  if (text === undefined) return {};
  if (subscription.status !== 'trialing') throw invalid('The subscription is not in a trial.', 'trial_end');
  const now = account.now();
  const end = text === 'now' ? now : (numberOf(form, 'trial_end') ?? now);
  if (text !== 'now' && end <= now) throw invalid('Invalid timestamp: must be in the future.', 'trial_end');
  const data = subscription.items.data.map((item) => ({ ...item, current_period_end: end }));
  const items = { ...subscription.items, data };
  return { billing_cycle_anchor: end, items, trial_end: end, trial_told: false };
}

function sum(lines: readonly InvoiceLine[]): number {
  return lines.reduce((total, line) => total + line.amount, 0);
}
