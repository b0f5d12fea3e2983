import type Stripe from 'stripe';
import { type InvoiceState, PaymentError, type ProviderInvoice } from '../payments.port.ts';
import { fromStripeAmount, fromUnixSeconds, getStripeObjectId } from './stripe-values.ts';

export interface InvoicePaymentSummary {
  /** In Stripe's amount units. */
  refunded: number;
  isDisputed: boolean;
  isDisputeLost: boolean;
  needsAction: boolean;
}

export const EMPTY_INVOICE_PAYMENT_SUMMARY: InvoicePaymentSummary = {
  refunded: 0,
  isDisputed: false,
  isDisputeLost: false,
  needsAction: false,
};

const INVOICE_STATES: ReadonlyMap<string, InvoiceState> = new Map([
  ['draft', 'DRAFT'],
  ['open', 'OPEN'],
  ['paid', 'PAID'],
  ['void', 'VOID'],
  ['uncollectible', 'UNCOLLECTIBLE'],
]);

export function toProviderInvoice(
  invoice: Stripe.Invoice,
  summary: InvoicePaymentSummary,
): ProviderInvoice | null {
  const customerId = getStripeObjectId(invoice.customer);
  if (customerId === null) return null;
  const state = INVOICE_STATES.get(invoice.status ?? '');
  if (!state) throw new PaymentError('REFUSED', 'UNKNOWN_STATUS');

  const amount = (value: number) => fromStripeAmount(value, invoice.currency);
  const details = invoice.parent?.subscription_details;
  const period = getInvoicePeriod(invoice);
  return {
    object: 'INVOICE',
    id: invoice.id,
    customerId,
    subscriptionId: getStripeObjectId(details?.subscription),
    number: invoice.number,
    state,
    currency: invoice.currency.toUpperCase(),
    total: amount(invoice.total),
    amountPaid: amount(invoice.amount_paid),
    amountRefunded: amount(summary.refunded),
    isDisputed: summary.isDisputed,
    isDisputeLost: summary.isDisputeLost,
    attempts: invoice.attempt_count,
    needsAction: state === 'OPEN' && summary.needsAction,
    nextAttemptAt: fromUnixSeconds(invoice.next_payment_attempt),
    periodStart: fromUnixSeconds(period.start),
    periodEnd: fromUnixSeconds(period.end),
    issuedAt: fromUnixSeconds(invoice.created),
    paidAt: fromUnixSeconds(invoice.status_transitions.paid_at),
  };
}

/** The invoice's own period is the previous one, in which its lines were collected. */
function getInvoicePeriod(invoice: Stripe.Invoice): { start: number; end: number } {
  const lines = invoice.lines.data;
  const fullPeriodLines = lines.filter(isFullPeriodLine);
  const periods = (fullPeriodLines.length > 0 ? fullPeriodLines : lines).map((line) => line.period);
  if (periods.length === 0) return { start: invoice.period_start, end: invoice.period_end };
  return {
    start: Math.min(...periods.map((period) => period.start)),
    end: Math.max(...periods.map((period) => period.end)),
  };
}

function isFullPeriodLine({ parent }: Stripe.InvoiceLineItem): boolean {
  return parent?.subscription_item_details?.proration === false;
}
