import type { Account } from './account.ts';
import { planChange } from './change-plan.ts';
import { periodOf } from './due.ts';
import type { Form } from './form.ts';
import { draftInvoice } from './invoices.ts';
import { chargesFor, nextPeriod, pendingLines } from './life.ts';
import type { Invoice } from './objects.ts';
import { flagOf, needText, objectOf, refuseUnknown, textOf } from './params.ts';
import { noSuch, StripeFailure } from './stripe-error.ts';

/** The invoice that would be made next: at once where a change is invoiced at once, and by the renewal otherwise. */
export function previewInvoice(account: Account, form: Form): Invoice {
  const id = needText(form, 'subscription');
  const subscription = account.need('subscription', id, 'subscription');
  const named = textOf(form, 'customer');
  if (named && named !== subscription.customer) throw noSuch('subscription', id, 'subscription');
  const details = objectOf(form, 'subscription_details');
  refuseUnknown(details, ['items', 'proration_behavior', 'proration_date', 'cancel_at_period_end']);
  const ends = flagOf(details, 'cancel_at_period_end') ?? subscription.cancel_at_period_end;
  const plan = planChange(account, subscription, details);
  const isNow =
    plan.freshPeriod !== null || (plan.behavior === 'always_invoice' && plan.prorations.length > 0);
  if (subscription.ended_at !== null || (ends && !isNow)) throw nothingUpcoming(subscription.customer);

  const customer = account.need('customer', subscription.customer);
  const after = { ...subscription, items: { ...subscription.items, data: plan.items } };
  const next = nextPeriod(after);
  const prorationDate = plan.prorations.length > 0 ? plan.date : undefined;
  const pending = pendingLines(account, subscription).map(({ line }) => line);
  const lines = isNow
    ? [...plan.prorations, ...plan.freshCharges]
    : [...pending, ...plan.prorations, ...chargesFor(account, after, next)];
  const period = isNow ? { start: account.now(), end: account.now() } : periodOf(subscription);
  const invoice = draftInvoice(account, {
    customer,
    subscription: after,
    reason: 'upcoming',
    lines,
    period,
    prorationDate,
  });
  return { ...invoice, next_payment_attempt: isNow ? account.now() : next.start };
}

function nothingUpcoming(customer: string): StripeFailure {
  const message = `No upcoming invoices for customer: ${customer}`;
  return new StripeFailure(404, { type: 'invalid_request_error', code: 'invoice_upcoming_none', message });
}
