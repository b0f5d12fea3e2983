import type Stripe from 'stripe';
import type { StripeCall } from './stripe-client.ts';
import { EMPTY_INVOICE_PAYMENT_SUMMARY, type InvoicePaymentSummary } from './to-provider-invoice.ts';

/** Four levels, Stripe's maximum depth of expansion. */
export const EXPAND_LATEST_CHARGE = ['data.payment.payment_intent.latest_charge'];

/** A charge stays disputed whatever is decided, so the disputes themselves are fetched, which are few. */
export async function fetchInvoicePaymentSummary(
  callStripe: StripeCall,
  payment: Stripe.InvoicePayment,
): Promise<InvoicePaymentSummary> {
  const summary = toInvoicePaymentSummary(payment);
  const charge = getCharge(payment);
  if (!charge || !summary.isDisputed) return summary;
  const { data } = await callStripe((stripe) => stripe.disputes.list({ charge: charge.id, limit: 100 }));
  return { ...summary, isDisputeLost: data.some(({ status }) => status === 'lost') };
}

export function toInvoicePaymentSummary(invoicePayment: Stripe.InvoicePayment): InvoicePaymentSummary {
  const { payment, status } = invoicePayment;
  const intent = asExpanded(payment.payment_intent);
  const charge = getCharge(invoicePayment);
  return {
    refunded: charge?.amount_refunded ?? 0,
    isDisputed: charge?.disputed ?? false,
    isDisputeLost: false,
    needsAction: status === 'open' && intent?.status === 'requires_action',
  };
}

export function mergeInvoicePaymentSummaries(
  summaries: Iterable<InvoicePaymentSummary>,
): InvoicePaymentSummary {
  const sum = { ...EMPTY_INVOICE_PAYMENT_SUMMARY };
  for (const { refunded, isDisputed, isDisputeLost, needsAction } of summaries) {
    sum.refunded += refunded;
    sum.isDisputed ||= isDisputed;
    sum.isDisputeLost ||= isDisputeLost;
    sum.needsAction ||= needsAction;
  }
  return sum;
}

/** Only the latest charge of an intent can have succeeded. */
function getCharge({ payment }: Stripe.InvoicePayment): Stripe.Charge | null {
  return asExpanded(asExpanded(payment.payment_intent)?.latest_charge);
}

function asExpanded<Thing extends object>(reference: string | Thing | null | undefined): Thing | null {
  return typeof reference === 'object' ? reference : null;
}
