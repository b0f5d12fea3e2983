import type Stripe from 'stripe';
import { NO_FACTS, type PaymentFacts } from './invoice-of.ts';

/** What payments of invoices are asked for with: four levels, which is as deep as Stripe goes. */
export const EXPANDED = ['data.payment.payment_intent.latest_charge'];

/** What a payment says of its invoice. */
export function factsOf({ payment, status }: Stripe.InvoicePayment): PaymentFacts {
  const intent = whole(payment.payment_intent);
  // Of several charges of an intent the last is the only one that can have gone through.
  const charge = whole(intent?.latest_charge);
  return {
    refunded: charge?.amount_refunded ?? 0,
    isDisputed: charge?.disputed ?? false,
    needsAction: status === 'open' && intent?.status === 'requires_action',
  };
}

/** What several payments say together. */
export function together(facts: Iterable<PaymentFacts>): PaymentFacts {
  const sum = { ...NO_FACTS };
  for (const { refunded, isDisputed, needsAction } of facts) {
    sum.refunded += refunded;
    sum.isDisputed ||= isDisputed;
    sum.needsAction ||= needsAction;
  }
  return sum;
}

function whole<Thing extends object>(reference: string | Thing | null | undefined): Thing | null {
  return typeof reference === 'object' ? reference : null;
}
