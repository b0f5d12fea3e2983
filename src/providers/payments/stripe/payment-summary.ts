import type Stripe from 'stripe';
import { EMPTY_PAYMENT_SUMMARY, type PaymentSummary } from './to-provider-invoice.ts';

/** What payments of invoices are asked for with: four levels, which is as deep as Stripe goes. */
export const EXPAND_LATEST_CHARGE = ['data.payment.payment_intent.latest_charge'];

/** What a payment says of its invoice. */
export function toPaymentSummary({ payment, status }: Stripe.InvoicePayment): PaymentSummary {
  const intent = asExpanded(payment.payment_intent);
  // Of several charges of an intent the last is the only one that can have gone through.
  const charge = asExpanded(intent?.latest_charge);
  return {
    refunded: charge?.amount_refunded ?? 0,
    isDisputed: charge?.disputed ?? false,
    needsAction: status === 'open' && intent?.status === 'requires_action',
  };
}

/** What several payments say together. */
export function mergePaymentSummaries(summaries: Iterable<PaymentSummary>): PaymentSummary {
  const sum = { ...EMPTY_PAYMENT_SUMMARY };
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
