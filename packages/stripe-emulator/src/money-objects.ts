import type { NestedList, StripeObject } from './stripe-object.ts';

export interface InvoiceLine {
  id: string;
  object: 'line_item';
  amount: number;
  description: string;
  period: { start: number; end: number };
  [field: string]: unknown;
}

export interface Invoice extends StripeObject {
  customer: string;
  currency: string;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  billing_reason: string;
  amount_due: number;
  amount_paid: number;
  amount_remaining: number;
  attempt_count: number;
  attempted: boolean;
  auto_advance: boolean;
  lines: NestedList<InvoiceLine>;
  next_payment_attempt: number | null;
  number: string | null;
  parent: { subscription_details: { subscription: string } & Record<string, unknown> } & Record<
    string,
    unknown
  >;
  period_start: number;
  period_end: number;
  starting_balance: number;
  ending_balance: number | null;
  status_transitions: Record<string, number | null>;
  total: number;
  hosted_invoice_url: string | null;
}

/** An item of a subscription's next invoice. */
export interface InvoiceItem extends StripeObject {
  customer: string;
  subscription: string;
  amount: number;
  invoice: string | null;
  line: InvoiceLine;
}

export interface InvoicePayment extends StripeObject {
  invoice: string;
  amount_paid: number | null;
  amount_requested: number;
  status: 'open' | 'paid' | 'canceled';
  payment: { type: 'payment_intent'; payment_intent: string };
}

export interface PaymentIntent extends StripeObject {
  amount: number;
  amount_received: number;
  customer: string;
  status: string;
  payment_method: string | null;
  latest_charge: string | null;
}

export interface Charge extends StripeObject {
  amount: number;
  amount_refunded: number;
  currency: string;
  customer: string;
  disputed: boolean;
  paid: boolean;
  payment_intent: string;
  refunded: boolean;
  status: 'succeeded' | 'failed';
}

export interface Refund extends StripeObject {
  amount: number;
  charge: string;
  payment_intent: string;
}

export interface Dispute extends StripeObject {
  amount: number;
  charge: string;
  payment_intent: string;
  status: string;
}
