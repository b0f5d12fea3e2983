/** An object of Stripe’s API; what the stand-in works with is named, the rest is only shown. */
export interface StripeObject {
  id: string;
  object: string;
  created: number;
  [field: string]: unknown;
}

export type Metadata = Record<string, string>;

/** A list inside an object. */
export interface Inner<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  total_count?: number;
  url: string;
}

export interface Customer extends StripeObject {
  email: string | null;
  name: string | null;
  balance: number;
  currency: string | null;
  delinquent: boolean;
  metadata: Metadata;
  next_invoice_sequence: number;
  invoice_prefix: string;
  invoice_settings: { default_payment_method: string | null } & Record<string, unknown>;
  preferred_locales: string[];
  deleted?: true;
}

export interface Product extends StripeObject {
  active: boolean;
  name: string;
  description: string | null;
  metadata: Metadata;
  updated: number;
}

export type IntervalName = 'day' | 'week' | 'month' | 'year';

export interface Price extends StripeObject {
  active: boolean;
  currency: string;
  lookup_key: string | null;
  metadata: Metadata;
  nickname: string | null;
  product: string;
  recurring: { interval: IntervalName; interval_count: number } & Record<string, unknown>;
  unit_amount: number;
}

export interface PaymentMethod extends StripeObject {
  customer: string | null;
  card: { last4: string } & Record<string, unknown>;
}

export interface CheckoutSession extends StripeObject {
  customer: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  amount_total: number;
  currency: string;
  expires_at: number;
  cancel_url: string | null;
  success_url: string;
  subscription: string | null;
  invoice: string | null;
  url: string | null;
  metadata: Metadata;
}

export interface SubscriptionItem extends StripeObject {
  current_period_start: number;
  current_period_end: number;
  price: Price;
  quantity: number;
  subscription: string;
}

export type SubscriptionStatus =
  | ('incomplete' | 'incomplete_expired' | 'trialing' | 'active')
  | ('past_due' | 'unpaid' | 'paused' | 'canceled');

export interface Subscription extends StripeObject {
  customer: string;
  status: SubscriptionStatus;
  currency: string;
  items: Inner<SubscriptionItem>;
  billing_cycle_anchor: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  cancellation_details: { comment: string | null; reason: string | null } & Record<string, unknown>;
  ended_at: number | null;
  default_payment_method: string | null;
  latest_invoice: string | null;
  metadata: Metadata;
  /** A change that waits for the last invoice to be paid. */
  pending_update: {
    billing_cycle_anchor: number | null;
    expires_at: number;
    subscription_items: SubscriptionItem[];
    [field: string]: unknown;
  } | null;
  start_date: number;
  trial_start: number | null;
  trial_end: number | null;
  trial_settings: { end_behavior: { missing_payment_method: string } };
}

/** A line of an invoice. */
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
  lines: Inner<InvoiceLine>;
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

/** Something that the next invoice of a subscription has on it. */
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

export interface PortalSession extends StripeObject {
  customer: string;
  return_url: string | null;
  url: string;
}

export interface StripeEvent extends StripeObject {
  type: string;
  data: { object: StripeObject; previous_attributes?: Record<string, unknown> };
  request: { id: string | null; idempotency_key: string | null };
}

/** Every kind of object that is kept, by the name in its `object`. */
export interface Kinds {
  customer: Customer;
  product: Product;
  price: Price;
  payment_method: PaymentMethod;
  'checkout.session': CheckoutSession;
  subscription: Subscription;
  invoice: Invoice;
  invoiceitem: InvoiceItem;
  invoice_payment: InvoicePayment;
  payment_intent: PaymentIntent;
  charge: Charge;
  refund: Refund;
  dispute: Dispute;
  'billing_portal.session': PortalSession;
  'billing_portal.configuration': StripeObject;
  event: StripeEvent;
}

export type Kind = keyof Kinds;
