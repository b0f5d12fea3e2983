import type { Account } from './account.ts';
import { getCurrentPeriod } from './due-time.ts';
import type { FormObject } from './form.ts';
import { createInvoiceDraft } from './invoices.ts';
import { assertKnownParams, parseBoolean, parseObject, parseString, requireString } from './params.ts';
import { planSubscriptionChange } from './plan-subscription-change.ts';
import type { Invoice } from './sales-objects.ts';
import { createNotFoundError, StripeFailure } from './stripe-error.ts';
import { createPeriodLines, getNextPeriod, listPendingInvoiceItems } from './subscription-lifecycle.ts';

/** Preview the next invoice: of a change that is invoiced immediately, otherwise of the renewal. */
export function previewInvoice(account: Account, form: FormObject): Invoice {
  const id = requireString(form, 'subscription');
  const subscription = account.require('subscription', id, 'subscription');
  const named = parseString(form, 'customer');
  if (named && named !== subscription.customer) throw createNotFoundError('subscription', id, 'subscription');
  const details = parseObject(form, 'subscription_details');
  assertKnownParams(details, ['items', 'proration_behavior', 'proration_date', 'cancel_at_period_end']);
  const ends = parseBoolean(details, 'cancel_at_period_end') ?? subscription.cancel_at_period_end;
  const plan = planSubscriptionChange(account, subscription, details);
  const isNow =
    plan.isNewPeriod !== null || (plan.behavior === 'always_invoice' && plan.prorations.length > 0);
  if (subscription.ended_at !== null || (ends && !isNow))
    throw createNoUpcomingInvoiceError(subscription.customer);

  const customer = account.require('customer', subscription.customer);
  const after = { ...subscription, items: { ...subscription.items, data: plan.items } };
  const next = getNextPeriod(after);
  const prorationDate = plan.prorations.length > 0 ? plan.date : undefined;
  const pending = listPendingInvoiceItems(account, subscription).map(({ line }) => line);
  const lines = isNow
    ? [...plan.prorations, ...plan.newPeriodLines]
    : [...pending, ...plan.prorations, ...createPeriodLines(account, after, next)];
  const period = isNow ? { start: account.getNow(), end: account.getNow() } : getCurrentPeriod(subscription);
  const invoice = createInvoiceDraft(account, {
    customer,
    subscription: after,
    reason: 'upcoming',
    lines,
    period,
    prorationDate,
  });
  return { ...invoice, next_payment_attempt: isNow ? account.getNow() : next.start };
}

function createNoUpcomingInvoiceError(customer: string): StripeFailure {
  const message = `No upcoming invoices for customer: ${customer}`;
  return new StripeFailure(404, { type: 'invalid_request_error', code: 'invoice_upcoming_none', message });
}
