import type Stripe from 'stripe';

/** Start and end of a month, in seconds. */
export const PERIOD_START = 1_790_000_000;
export const PERIOD_END = PERIOD_START + 30 * 86_400;

/** Create a price of 3 euros per month. */
export function createExamplePrice(change: Partial<Stripe.Price> = {}): Stripe.Price {
  const recurring = { interval: 'month', interval_count: 1, meter: null, usage_type: 'licensed' };
  return {
    ...({
      id: 'price_month',
      object: 'price',
      active: true,
      currency: 'eur',
      unit_amount: 300,
    } as Stripe.Price),
    recurring: { ...recurring, trial_period_days: null } as Stripe.Price['recurring'],
    ...change,
  };
}

/** Create an active subscription of that price. */
export function createExampleSubscription(
  change: Partial<Stripe.Subscription> = {},
  itemChange: Partial<Stripe.SubscriptionItem> = {},
): Stripe.Subscription {
  const item: Partial<Stripe.SubscriptionItem> = {
    id: 'si_1',
    object: 'subscription_item',
    current_period_start: PERIOD_START,
    current_period_end: PERIOD_END,
    price: createExamplePrice(),
    ...itemChange,
  };
  const subscription: Partial<Stripe.Subscription> = {
    id: 'sub_1',
    object: 'subscription',
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    created: PERIOD_START,
    currency: 'eur',
    customer: 'cus_1',
    ended_at: null,
    items: { object: 'list', data: [item as Stripe.SubscriptionItem], has_more: false, url: '' },
    livemode: false,
    pause_collection: null,
    start_date: PERIOD_START,
    status: 'active',
    trial_end: null,
  };
  return { ...(subscription as Stripe.Subscription), ...change };
}

/** Create an invoice line of the subscription. */
export function createExampleInvoiceLine(
  period: { start: number; end: number },
  proration = false,
  change: Partial<Stripe.InvoiceLineItem> = {},
): Stripe.InvoiceLineItem {
  const details = { proration, subscription: 'sub_1', subscription_item: 'si_1' };
  return {
    ...({ id: 'il_1', object: 'line_item', amount: 300, currency: 'eur', period } as Stripe.InvoiceLineItem),
    parent: {
      type: 'subscription_item_details',
      invoice_item_details: null,
      subscription_item_details: details as Stripe.InvoiceLineItem.Parent.SubscriptionItemDetails,
    },
    ...change,
  };
}

/** Create a paid invoice of the month. */
export function createExampleInvoice(change: Partial<Stripe.Invoice> = {}): Stripe.Invoice {
  const invoice: Partial<Stripe.Invoice> = {
    id: 'in_1',
    object: 'invoice',
    amount_due: 300,
    amount_paid: 300,
    attempt_count: 1,
    created: PERIOD_START,
    currency: 'eur',
    customer: 'cus_1',
    hosted_invoice_url: 'https://invoice.example.org/in_1',
    lines: {
      object: 'list',
      data: [createExampleInvoiceLine({ start: PERIOD_START, end: PERIOD_END })],
      has_more: false,
      url: '',
    },
    livemode: false,
    next_payment_attempt: null,
    number: 'A-1',
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { metadata: {}, subscription: 'sub_1' },
    },
    period_start: PERIOD_START - 86_400,
    period_end: PERIOD_START,
    status: 'paid',
    status_transitions: {
      finalized_at: PERIOD_START + 1,
      marked_uncollectible_at: null,
      paid_at: PERIOD_START + 2,
      voided_at: null,
    },
    total: 300,
  };
  return { ...(invoice as Stripe.Invoice), ...change };
}

/** Create a payment of that invoice with intent and charge. */
export function createExamplePayment(
  charge: Partial<Stripe.Charge> | null = {},
  change: { status?: string; intent?: string; invoice?: string } = {},
): Stripe.InvoicePayment {
  const latest = charge && {
    ...({ id: 'ch_1', object: 'charge', amount_refunded: 0, disputed: false } as Stripe.Charge),
    ...charge,
  };
  const intent = { id: 'pi_1', object: 'payment_intent', status: change.intent ?? 'succeeded' };
  const payment: Partial<Stripe.InvoicePayment> = {
    id: 'inpay_1',
    object: 'invoice_payment',
    invoice: change.invoice ?? 'in_1',
    status: change.status ?? 'paid',
    payment: {
      type: 'payment_intent',
      payment_intent: { ...intent, latest_charge: latest } as Stripe.PaymentIntent,
    },
  };
  return payment as Stripe.InvoicePayment;
}

/** Create a checkout session for the price. */
export function createExampleCheckout(
  change: Partial<Stripe.Checkout.Session> = {},
): Stripe.Checkout.Session {
  const session: Partial<Stripe.Checkout.Session> = {
    id: 'cs_test_1',
    object: 'checkout.session',
    mode: 'subscription',
    status: 'open',
    subscription: null,
    url: 'https://checkout.example.org/cs_test_1',
  };
  return { ...(session as Stripe.Checkout.Session), ...change };
}

/** Create an event of an object. */
export function createExampleEvent(type: string, object: object, change: object = {}): object {
  return {
    id: 'evt_1',
    object: 'event',
    api_version: '2026-10-28.endive',
    created: PERIOD_START + 3,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    ...change,
  };
}
