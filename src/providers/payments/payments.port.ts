import type { BillingInterval } from '../../shared/billing-interval.ts';
import type { SubscriptionState } from '../../shared/subscription-state.ts';

/** A payment provider. Amounts are in minor units. */
export interface PaymentProvider {
  /** Stored with rows; live and test mode have different names. */
  readonly name: string;
  /** The last segment of the webhook's path. */
  readonly webhook: string;
  /** Names of test modes, whose purchases do not count in live mode. */
  readonly testModeProviders: readonly string[];
  /** Lowercase name of the webhook's signature header. */
  readonly signatureHeader: string;
  /** Create a customer once per key and return its id. */
  createCustomer(customer: { userId: string; email: string; language: string }, key: string): Promise<string>;
  /** False for a deleted customer. */
  hasCustomer(customerId: string): Promise<boolean>;
  /** Delete a customer and end its subscriptions; an unknown one is ignored. */
  deleteCustomer(customerId: string): Promise<void>;
  /** Find or create; returns the id. */
  ensurePrice(offer: PackageOffer): Promise<string>;
  /** Once per key. */
  openCheckout(order: CheckoutOrder, key: string): Promise<ProviderCheckout>;
  findCheckout(id: string): Promise<ProviderCheckout | null>;
  /** Expire an unpaid session; an ended one is unchanged. */
  expireCheckout(id: string): Promise<void>;
  findSubscription(id: string): Promise<ProviderSubscription | null>;
  /** Cancel a subscription now or at the period end; an ended one is unchanged. */
  cancelSubscription(id: string, when: 'NOW' | 'PERIOD_END'): Promise<ProviderSubscription>;
  /** Undo a cancellation at the period end. */
  undoCancellation(id: string): Promise<ProviderSubscription>;
  previewChange(id: string, priceId: string, at: Date): Promise<ProviderChangePreview>;
  /** Change the price as previewed `at`, once per key; returns the previous price while a payment is due. */
  changeSubscription(id: string, priceId: string, at: Date, key: string): Promise<ProviderSubscription>;
  openPortal(customerId: string, returnUrl: string, language: string): Promise<string>;
  findInvoice(id: string): Promise<ProviderInvoice | null>;
  findInvoiceOfCharge(chargeId: string): Promise<string | null>;
  findInvoiceUrl(id: string): Promise<string | null>;
  /** List all ever made, in no order. Listing (also of invoices) takes time: fetch what differs again. */
  listSubscriptions(): AsyncIterable<ProviderSubscription>;
  listInvoices(since: Date): AsyncIterable<ProviderInvoice>;
  /** Verify and parse an event. @throws PaymentError SIGNATURE, also for the other mode (live or test) */
  readEvent(body: Buffer, signature: string | undefined, now: Date): PaymentWebhookEvent;
}

export interface PackageOffer {
  packageId: string;
  code: string;
  version: number;
  name: string;
  interval: BillingInterval;
  /** ISO 4217. */
  currency: string;
  amount: number;
}

export interface CheckoutOrder {
  customerId: string;
  priceId: string;
  userId: string;
  successUrl: string;
  cancelUrl: string;
  language: string;
  expiresAt: Date;
}

export interface ProviderCheckout {
  id: string;
  state: 'OPEN' | 'COMPLETED' | 'EXPIRED';
  url: string | null;
  subscriptionId: string | null;
}

export interface ProviderSubscription {
  object: 'SUBSCRIPTION';
  id: string;
  customerId: string;
  priceId: string;
  interval: BillingInterval;
  currency: string;
  state: SubscriptionState;
  currentPeriodStart: Date | null;
  currentPeriodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
  trialEndsAt: Date | null;
  canceledAt: Date | null;
  endedAt: Date | null;
  startedAt: Date;
}

export type InvoiceState = 'DRAFT' | 'OPEN' | 'PAID' | 'VOID' | 'UNCOLLECTIBLE';

export interface ProviderInvoice {
  object: 'INVOICE';
  id: string;
  customerId: string;
  subscriptionId: string | null;
  number: string | null;
  state: InvoiceState;
  currency: string;
  total: number;
  amountPaid: number;
  amountRefunded: number;
  isDisputed: boolean;
  /** Decided against us. */
  isDisputeLost: boolean;
  attempts: number;
  needsAction: boolean;
  nextAttemptAt: Date | null;
  periodStart: Date | null;
  periodEnd: Date | null;
  issuedAt: Date;
  paidAt: Date | null;
}

export interface ProviderChangePreview {
  currency: string;
  /** Negative for a credit. */
  dueNow: number;
  perPeriod: number;
  currentPeriodEnd: Date | null;
}

export interface PaymentWebhookEvent {
  id: string;
  kind: string;
  createdAt: Date;
  /** The object to sync; null for an event that is ignored. */
  subject: PaymentObjectReference | null;
  /** The end of the subject as the event reports it, for a subscription that the provider no longer knows. */
  closure: SubscriptionClosure | null;
}

export interface SubscriptionClosure {
  canceledAt: Date | null;
  endedAt: Date;
}

export interface PaymentObjectReference {
  object: 'SUBSCRIPTION' | 'INVOICE' | 'CHECKOUT' | 'CHARGE' | 'CUSTOMER';
  id: string;
}

/**
 * UNAVAILABLE: no response or a server error. BUSY: too many calls. REFUSED: the call is invalid or impossible. ABSENT:
 * no such object. SIGNATURE: invalid event. CREDENTIALS: the provider rejects the service's key.
 */
export type PaymentProviderErrorCode =
  | 'UNAVAILABLE'
  | 'BUSY'
  | 'REFUSED'
  | 'ABSENT'
  | 'SIGNATURE'
  | 'CREDENTIALS';

/** The reason is a code without personal data. */
export class PaymentError extends Error {
  override readonly name = 'PaymentError';
  readonly failure: PaymentProviderErrorCode;
  readonly reason: string;
  /** Seconds until a retry; null when the provider does not send it. */
  readonly retryAfter: number | null;

  constructor(failure: PaymentProviderErrorCode, reason: string, retryAfter: number | null = null) {
    super(`Payment provider error: ${failure} (${reason}).`);
    this.failure = failure;
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}
