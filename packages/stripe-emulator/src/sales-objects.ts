import type {
  Charge,
  Dispute,
  Invoice,
  InvoiceItem,
  InvoicePayment,
  PaymentIntent,
  Refund,
} from './money-objects.ts';
import type { Metadata, NestedList, StripeObject } from './stripe-object.ts';

export type * from './money-objects.ts';
export type * from './stripe-object.ts';

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
  items: NestedList<SubscriptionItem>;
  billing_cycle_anchor: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  cancellation_details: { comment: string | null; reason: string | null } & Record<string, unknown>;
  ended_at: number | null;
  default_payment_method: string | null;
  latest_invoice: string | null;
  metadata: Metadata;
  /** Waits for the payment of the latest invoice. */
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

export interface ObjectsByKind {
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

export type ObjectKind = keyof ObjectsByKind;
