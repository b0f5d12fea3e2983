import type { Account } from './account.ts';
import { type CardBehavior, createCard } from './cards.ts';
import { readChosen } from './chosen.ts';
import { collect } from './collection.ts';
import { needCustomer } from './customers.ts';
import { DAY } from './due.ts';
import type { Form } from './form.ts';
import { newId } from './ids.ts';
import { beginSubscription } from './life.ts';
import type { CheckoutSession, Metadata } from './objects.ts';
import {
  metadataOf,
  needText,
  numberOf,
  objectOf,
  objectsOf,
  refuseUnknown,
  textOf,
  urlOf,
  wordOf,
} from './params.ts';
import type { Outcome } from './payments.ts';
import { momentOf } from './service-time.ts';
import { invalid, missing } from './stripe-error.ts';

/** Seconds for which a page can be open. */
const SHORTEST = 30 * 60;
const LONGEST = DAY;
/** Requests take a while, and clocks differ. */
const GRACE = 60;

interface Wanted {
  price: string;
  quantity: number;
}

/** Opens a page to pay on. */
export function createCheckout(account: Account, form: Form): CheckoutSession {
  const mode = wordOf(form, 'mode', ['subscription', 'payment', 'setup']);
  if (mode !== 'subscription')
    throw invalid('The sandbox sells subscriptions alone: mode=subscription.', 'mode');
  const customer = needCustomer(account, needText(form, 'customer'));
  const success = urlOf(form, 'success_url');
  if (!success) throw missing('success_url');
  const chosen = readChosen(account, objectsOf(form, 'line_items'), 'line_items');
  const data = objectOf(form, 'subscription_data');
  refuseUnknown(data, [
    'metadata',
    'trial_period_days',
    'trial_end',
    'trial_settings',
    'description',
    'billing_mode',
  ]);
  const now = account.now();
  const expires = momentOf(account, numberOf(form, 'expires_at') ?? now + LONGEST);
  if (expires < now + SHORTEST - GRACE)
    throw invalid(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      'expires_at',
    );
  if (expires > now + LONGEST + GRACE)
    throw invalid(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      'expires_at',
    );
  const total = chosen.reduce((sum, { price, quantity }) => sum + price.unit_amount * quantity, 0);
  const trialEnd = trialEndOf(data, now);
  const id = newId('cs_test', 58);
  const session: CheckoutSession = {
    ...EMPTY,
    id,
    object: 'checkout.session',
    amount_subtotal: trialEnd === null ? total : 0,
    amount_total: trialEnd === null ? total : 0,
    cancel_url: urlOf(form, 'cancel_url') ?? null,
    client_reference_id: textOf(form, 'client_reference_id') ?? null,
    created: now,
    currency: chosen[0]?.price.currency ?? 'usd',
    customer: customer.id,
    customer_details: { ...NOBODY, email: customer.email, name: customer.name },
    expires_at: expires,
    invoice: null,
    locale: localeOf(form),
    metadata: metadataOf(form),
    mode,
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    success_url: success,
    url: `${account.base}/checkout/${id}`,
    // Of our own, and never shown.
    behavior: {
      wanted: chosen.map(({ price, quantity }) => ({ price: price.id, quantity })),
      metadata: metadataOf(data),
      trialDays: numberOf(data, 'trial_period_days') ?? null,
      trialEnd: numberOf(data, 'trial_end') ?? null,
    },
  };
  return account.add('checkout.session', session);
}

/** What is bought on a page. */
export function boughtOn(account: Account, session: CheckoutSession) {
  const { wanted } = session.behavior as { wanted: Wanted[] };
  return wanted.map(({ price, quantity }) => ({ price: account.need('price', price), quantity }));
}

/**
 * Somebody tries to pay on a page. Only where it is paid does it become a subscription.
 * @param confirmed whether they have just confirmed it or refused to
 */
export function payCheckout(
  account: Account,
  session: CheckoutSession,
  behavior: CardBehavior,
  confirmed?: boolean,
): Outcome {
  if (session.status !== 'open') throw invalid('This page has ended.');
  const customer = needCustomer(account, session.customer);
  const { metadata, trialDays, trialEnd } = session.behavior as {
    metadata: Metadata;
    trialDays: number | null;
    trialEnd: number | null;
  };
  const pays = behavior === 'pays' || (behavior === 'confirms' && confirmed === true);
  if (!pays) return behavior === 'confirms' && confirmed === undefined ? 'action' : 'failed';
  const card = createCard(account, behavior, customer);
  const { subscription, invoice } = beginSubscription(account, {
    ...{ customer, metadata, card, chosen: boughtOn(account, session) },
    trialEnd: trialDays ? account.now() + trialDays * DAY : trialEnd,
  });
  if (invoice.status === 'open') collect(account, invoice, { automatic: true, card, confirmed: true });
  account.change(
    session,
    {
      invoice: invoice.id,
      payment_status: invoice.total > 0 ? 'paid' : 'no_payment_required',
      status: 'complete',
      subscription: subscription.id,
      url: null,
    },
    'checkout.session.completed',
  );
  return 'paid';
}

/** Ends a page that nobody has paid on. */
export function expireCheckout(account: Account, session: CheckoutSession): CheckoutSession {
  if (session.status !== 'open')
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    );
  return account.change(session, { status: 'expired', url: null }, 'checkout.session.expired');
}

/** Where somebody goes who has paid. */
export function successUrl(session: CheckoutSession): string {
  return session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}

function localeOf(form: Form): string | null {
  const locale = textOf(form, 'locale');
  if (locale && !/^[a-z]{2,4}(-[A-Za-z0-9]{2,4})?$/.test(locale)) throw invalid('Invalid locale', 'locale');
  return locale ?? null;
}

function trialEndOf(data: Form, now: number): number | null {
  const days = numberOf(data, 'trial_period_days');
  return days ? now + days * DAY : (numberOf(data, 'trial_end') ?? null);
}

const NOBODY = {
  address: null,
  business_name: null,
  individual_name: null,
  phone: null,
  tax_exempt: 'none',
  tax_ids: null,
};

const EMPTY = {
  adaptive_pricing: null,
  after_expiration: null,
  allow_promotion_codes: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: {
    after_submit: null,
    shipping_address: null,
    submit: null,
    terms_of_service_acceptance: null,
  },
  customer_account: null,
  customer_creation: null,
  customer_email: null,
  discounts: [],
  integration_identifier: null,
  invoice_creation: null,
  livemode: false,
  managed_payments: null,
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_collection: 'always',
  payment_method_configuration_details: null,
  payment_method_options: { card: { request_three_d_secure: 'automatic' } },
  payment_method_types: ['card'],
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  submit_type: null,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  ui_mode: 'hosted',
  wallet_options: null,
};
