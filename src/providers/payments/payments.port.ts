/** What sells packages: a provider that takes the money, and knows who has paid for what. Amounts are in minor units. */
export interface PaymentProvider {
  /** By what rows know it: what no money moved for has another name than what it did. */
  readonly name: string;
  /** The last segment of the address of its webhook. */
  readonly webhook: string;
  /** Names under which no money moved: what was bought there counts for nothing where this one sells. */
  readonly testModeProviders: readonly string[];
  /** The header, in lower case, that carries the signature of a request to its webhook. */
  readonly signatureHeader: string;
  /** Makes a person known to the provider, once for each key; answers its id of them. */
  createCustomer(person: { userId: string; email: string; language: string }, key: string): Promise<string>;
  /** Whether there is such a customer; one that was deleted there is not. */
  hasCustomer(customerId: string): Promise<boolean>;
  /** Has the provider forget a person and end what they have; one it does not know is forgotten. */
  deleteCustomer(customerId: string): Promise<void>;
  /** The provider's id of the price of an offer, made where it has none. */
  ensurePrice(offer: PackageOffer): Promise<string>;
  /** Opens a page to pay on, once for each key. */
  openCheckout(order: CheckoutOrder, key: string): Promise<ProviderCheckout>;
  /** A page to pay on, as it is now; null where there is none. */
  findCheckout(id: string): Promise<ProviderCheckout | null>;
  /** Ends a page that nobody has paid on; one that has ended stays as it is. */
  expireCheckout(id: string): Promise<void>;
  findSubscription(id: string): Promise<ProviderSubscription | null>;
  /** Ends a subscription, at once or with its period; one that has ended stays as it is. */
  cancelSubscription(id: string, when: 'NOW' | 'PERIOD_END'): Promise<ProviderSubscription>;
  /** Takes the end with the period back. */
  undoCancellation(id: string): Promise<ProviderSubscription>;
  /** What a change to another price costs at a moment; nothing is changed. */
  previewChange(id: string, priceId: string, at: Date): Promise<ChangePreview>;
  /**
   * Changes to another price, with what was previewed for that moment, once for each key. What cannot be paid at once is
   * changed when it is paid, if that is soon: what is answered has the price of before.
   */
  changeSubscription(id: string, priceId: string, at: Date, key: string): Promise<ProviderSubscription>;
  /** A page of the provider on which a person sees invoices and changes how they pay. */
  openPortal(customerId: string, returnUrl: string, language: string): Promise<string>;
  findInvoice(id: string): Promise<ProviderInvoice | null>;
  /** The provider's id of the invoice that a charge was made for; null where there is none. */
  findInvoiceOfCharge(chargeId: string): Promise<string | null>;
  /** Where an invoice can be read and paid; null where there is no such page. */
  findInvoiceUrl(id: string): Promise<string | null>;
  /** Every subscription that there ever was, in no order. The list takes its time: what differs is to be looked at again. */
  listSubscriptions(): AsyncIterable<ProviderSubscription>;
  /** Every invoice made since a moment, in no order. The list takes its time: what differs is to be looked at again. */
  listInvoices(since: Date): AsyncIterable<ProviderInvoice>;
  /**
   * The event in a request to the webhook, its signature checked over the bytes as they came. Throws PaymentError
   * SIGNATURE for one that proves nothing, and for one of the other mode (live or test).
   */
  readEvent(body: Buffer, signature: string | undefined, now: Date): PaymentEvent;
}

/** A version of a package for an interval, as it is sold. */
export interface PackageOffer {
  packageId: string;
  code: string;
  version: number;
  /** What stands on the bill. */
  name: string;
  interval: BillingInterval;
  /** ISO 4217. */
  currency: string;
  amount: number;
}

export type BillingInterval = 'month' | 'year';

/** What a page to pay on is opened for. */
export interface CheckoutOrder {
  customerId: string;
  priceId: string;
  userId: string;
  /** Where the person comes back to, having paid or not. */
  successUrl: string;
  cancelUrl: string;
  language: string;
  expiresAt: Date;
}

/** A page to pay on. */
export interface ProviderCheckout {
  id: string;
  state: 'OPEN' | 'COMPLETED' | 'EXPIRED';
  /** Null where it has ended. */
  url: string | null;
  /** What was bought on it. */
  subscriptionId: string | null;
}

/** A subscription's state; CANCELED is final. */
export const SUBSCRIPTION_STATES = [
  ...['INCOMPLETE', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'UNPAID', 'PAUSED', 'CANCELED'],
] as const;

export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** A subscription as the provider knows it. */
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
  /** Set where the state is CANCELED, and nowhere else. */
  endedAt: Date | null;
  startedAt: Date;
}

export type InvoiceState = 'DRAFT' | 'OPEN' | 'PAID' | 'VOID' | 'UNCOLLECTIBLE';

/** An invoice as the provider knows it. */
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
  attempts: number;
  needsAction: boolean;
  nextAttemptAt: Date | null;
  periodStart: Date | null;
  periodEnd: Date | null;
  issuedAt: Date;
  paidAt: Date | null;
}

/** What a change to another price costs. */
export interface ChangePreview {
  currency: string;
  /** What is due at once; below zero where it is credited. */
  dueNow: number;
  /** What each period costs from then on. */
  perPeriod: number;
  /** When the period ends that is paid for. */
  currentPeriodEnd: Date | null;
}

/** Something that happened at the provider: a hint that an object is to be looked at. */
export interface PaymentEvent {
  id: string;
  /** The provider's name of what happened. */
  kind: string;
  createdAt: Date;
  /** What is to be looked at; null for what concerns nothing here. */
  subject: PaymentObjectReference | null;
  /** What the event itself says of it, for where the provider knows it no longer; null for anything else. */
  snapshot: ProviderSubscription | ProviderInvoice | null;
}

/** An object of the provider, by its id. */
export interface PaymentObjectReference {
  object: 'SUBSCRIPTION' | 'INVOICE' | 'CHECKOUT' | 'CHARGE' | 'CUSTOMER';
  id: string;
}

/**
 * UNAVAILABLE: no answer, or one of a server in trouble. BUSY: too many calls. REFUSED: the call is wrong, or cannot be
 * done. ABSENT: there is no such object. SIGNATURE: an event that proves nothing. CREDENTIALS: the provider does not know
 * the service.
 */
export type PaymentFailureCode = 'UNAVAILABLE' | 'BUSY' | 'REFUSED' | 'ABSENT' | 'SIGNATURE' | 'CREDENTIALS';

/** Why a provider did not do what it was asked. The reason is a word, and holds nothing private. */
export class PaymentError extends Error {
  override readonly name = 'PaymentError';
  readonly failure: PaymentFailureCode;
  readonly reason: string;
  /** Seconds for which the provider wants to be left alone; null where it does not say. */
  readonly retryAfter: number | null;

  constructor(failure: PaymentFailureCode, reason: string, retryAfter: number | null = null) {
    super(`The payment provider's answer: ${failure} (${reason}).`);
    this.failure = failure;
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}
