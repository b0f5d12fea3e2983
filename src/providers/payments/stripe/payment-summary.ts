import type Stripe from 'stripe';
import { EMPTY_INVOICE_PAYMENT_SUMMARY, type InvoicePaymentSummary } from './to-provider-invoice.ts';

/** Four levels, Stripe's maximum depth of expansion. */
export const EXPAND_LATEST_CHARGE = ['data.payment.payment_intent.latest_charge'];

export function toInvoicePaymentSummary({ payment, status }: Stripe.InvoicePayment): InvoicePaymentSummary {
  const intent = asExpanded(payment.payment_intent);
  // Only the latest charge of an intent can have succeeded.
  const charge = asExpanded(intent?.latest_charge);
  return {
    refunded: charge?.amount_refunded ?? 0,
    isDisputed: charge?.disputed ?? false,
    needsAction: status === 'open' && intent?.status === 'requires_action',
  };
}

export function mergeInvoicePaymentSummaries(
  summaries: Iterable<InvoicePaymentSummary>,
): InvoicePaymentSummary {
  const sum = { ...EMPTY_INVOICE_PAYMENT_SUMMARY };
  for (const { refunded, isDisputed, needsAction } of summaries) {
    sum.refunded += refunded;
    sum.isDisputed ||= isDisputed;
    sum.needsAction ||= needsAction;
  }
  return sum;
}

function asExpanded<Thing extends object>(reference: string | Thing | null | undefined): Thing | null {
  return typeof reference === 'object' ? reference : null;
}
