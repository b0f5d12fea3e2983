import type { Account } from './account.ts';
import { generateStripeId } from './ids.ts';
import type { Customer, PaymentMethod, Subscription } from './sales-objects.ts';
import { createNotFoundError } from './stripe-error.ts';

export type CardBehavior = 'pays' | 'declines' | 'confirms';

export const TEST_CARDS: Readonly<
  Record<CardBehavior, { last4: string; label: string; paymentMethodIds: readonly string[] }>
> = {
  pays: {
    last4: '4242',
    label: 'a card that pays',
    paymentMethodIds: ['pm_card_visa', 'pm_card_mastercard'],
  },
  declines: {
    last4: '0341',
    label: 'a card that is declined',
    paymentMethodIds: ['pm_card_chargeCustomerFail', 'pm_card_chargeDeclined', 'pm_card_visa_chargeDeclined'],
  },
  confirms: {
    last4: '3184',
    label: 'a card that must be confirmed each time',
    paymentMethodIds: ['pm_card_authenticationRequired', 'pm_card_threeDSecure2Required'],
  },
};

export const CARD_BEHAVIORS = Object.keys(TEST_CARDS) as CardBehavior[];

export function createCard(
  account: Account,
  behavior: CardBehavior,
  customer: Customer | null,
): PaymentMethod {
  const card: PaymentMethod = {
    id: generateStripeId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    behavior,
    billing_details: {
      address: EMPTY_BILLING_DETAILS,
      email: customer?.email ?? null,
      name: null,
      phone: null,
      tax_id: null,
    },
    card: {
      brand: 'visa',
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: 'visa',
      exp_month: 12,
      exp_year: new Date(account.getNow() * 1000).getUTCFullYear() + 3,
      fingerprint: `sandbox${TEST_CARDS[behavior].last4}`,
      funding: 'credit',
      generated_from: null,
      last4: TEST_CARDS[behavior].last4,
      networks: { available: ['visa'], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: account.getNow(),
    customer: customer?.id ?? null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
  account.add('payment_method', card);
  if (customer) account.emit('payment_method.attached', card);
  return card;
}

/** Get a card by id, or create one from the name of a Stripe test card. */
export function getOrCreateCard(
  account: Account,
  id: string,
  customer: Customer,
  param: string,
): PaymentMethod {
  const known = account.find('payment_method', id);
  if (known && (known.customer === customer.id || known.customer === null)) return known;
  const behavior = CARD_BEHAVIORS.find((one) => TEST_CARDS[one].paymentMethodIds.includes(id));
  if (!behavior || known) throw createNotFoundError('PaymentMethod', id, param);
  return createCard(account, behavior, customer);
}

export function findPayingCard(
  account: Account,
  customer: Customer,
  subscription?: Subscription,
): PaymentMethod | null {
  const id = subscription?.default_payment_method ?? customer.invoice_settings.default_payment_method;
  return id ? (account.find('payment_method', id) ?? null) : null;
}

/** No card behaves like a declined one. */
export function getCardBehavior(card: PaymentMethod | null): CardBehavior | 'none' {
  return card ? (card.behavior as CardBehavior) : 'none';
}

export function replaceDefaultCard(
  account: Account,
  customer: Customer,
  behavior: CardBehavior,
): PaymentMethod {
  const card = createCard(account, behavior, customer);
  setDefaultCard(account, customer, card);
  for (const subscription of account.list('subscription')) {
    const isTheirs = subscription.customer === customer.id && subscription.ended_at === null;
    if (isTheirs && subscription.default_payment_method)
      account.update(subscription, { default_payment_method: card.id }, 'customer.subscription.updated');
  }
  return card;
}

export function setDefaultCard(account: Account, customer: Customer, card: PaymentMethod): void {
  const settings = { ...customer.invoice_settings, default_payment_method: card.id };
  account.update(customer, { invoice_settings: settings }, 'customer.updated');
}

export const EMPTY_BILLING_DETAILS = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
};
