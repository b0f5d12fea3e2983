import type { Account } from './account.ts';
import { requireCustomer } from './customers.ts';
import { DAY_SECONDS } from './due-time.ts';
import { EMPTY_CHECKOUT_SESSION, EMPTY_CUSTOMER_DETAILS } from './empty-checkout-session.ts';
import type { FormObject } from './form.ts';
import { generateStripeId } from './ids.ts';
import {
  assertKnownParams,
  parseEnum,
  parseMetadata,
  parseNumber,
  parseObject,
  parseObjectList,
  parseString,
  requireString,
  requireUrl,
} from './params.ts';
import { parsePriceSelections } from './price-selections.ts';
import type { CheckoutSession } from './sales-objects.ts';
import { createInvalidRequestError, createMissingParamError } from './stripe-error.ts';

const MIN_SESSION_SECONDS = 30 * 60;
const MAX_SESSION_SECONDS = DAY_SECONDS;
/** Tolerance for latency and clock differences. */
const CLOCK_TOLERANCE_SECONDS = 60;

export function createCheckout(account: Account, form: FormObject): CheckoutSession {
  const mode = parseEnum(form, 'mode', ['subscription', 'payment', 'setup']);
  if (mode !== 'subscription')
    throw createInvalidRequestError('The sandbox supports only mode=subscription.', 'mode');
  const customer = requireCustomer(account, requireString(form, 'customer'));
  const success = requireUrl(form, 'success_url');
  if (!success) throw createMissingParamError('success_url');
  const chosen = parsePriceSelections(account, parseObjectList(form, 'line_items'), 'line_items');
  const data = parseObject(form, 'subscription_data');
  assertKnownParams(data, ['metadata', 'trial_period_days', 'trial_end']);
  const now = account.getNow();
  const requestedTime = parseNumber(form, 'expires_at');
  const expires =
    requestedTime === undefined ? now + MAX_SESSION_SECONDS : computeExpiry(account, requestedTime);
  const total = chosen.reduce((sum, { price, quantity }) => sum + price.unit_amount * quantity, 0);
  const trialEnd = parseTrialEnd(data, now);
  const id = generateStripeId('cs_test', 58);
  const session: CheckoutSession = {
    ...EMPTY_CHECKOUT_SESSION,
    id,
    object: 'checkout.session',
    amount_subtotal: trialEnd === null ? total : 0,
    amount_total: trialEnd === null ? total : 0,
    cancel_url: requireUrl(form, 'cancel_url') ?? null,
    client_reference_id: parseString(form, 'client_reference_id') ?? null,
    created: now,
    currency: chosen[0]?.price.currency ?? 'usd',
    customer: customer.id,
    customer_details: { ...EMPTY_CUSTOMER_DETAILS, email: customer.email, name: customer.name },
    expires_at: expires,
    invoice: null,
    locale: parseLocale(form),
    metadata: parseMetadata(form),
    mode,
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    success_url: success,
    url: `${account.base}/checkout/${id}`,
    // An internal field, never returned.
    behavior: {
      wanted: chosen.map(({ price, quantity }) => ({ price: price.id, quantity })),
      metadata: parseMetadata(data),
      trialDays: parseNumber(data, 'trial_period_days') ?? null,
      trialEnd: parseNumber(data, 'trial_end') ?? null,
    },
  };
  return account.add('checkout.session', session);
}

function parseTrialEnd(data: FormObject, now: number): number | null {
  const days = parseNumber(data, 'trial_period_days');
  return days ? now + days * DAY_SECONDS : (parseNumber(data, 'trial_end') ?? null);
}

/** Compute the expiry. A client whose clock was not advanced counts from the real time. */
function computeExpiry(account: Account, requestedTime: number): number {
  const [min, max] = [
    account.getNow() + MIN_SESSION_SECONDS - CLOCK_TOLERANCE_SECONDS,
    account.getNow() + MAX_SESSION_SECONDS + CLOCK_TOLERANCE_SECONDS,
  ];
  const end = [requestedTime, requestedTime + account.clockOffsetSeconds].find(
    (moment) => moment >= min && moment <= max,
  );
  if (end !== undefined) return end;
  const limit = requestedTime < min ? 'at least 30 minutes' : 'less than 24 hours';
  throw createInvalidRequestError(
    `The \`expires_at\` timestamp must be ${limit} from Checkout Session creation.`,
    'expires_at',
  );
}

function parseLocale(form: FormObject): string | null {
  const locale = parseString(form, 'locale');
  if (locale && !/^[a-z]{2,4}(-[A-Za-z0-9]{2,4})?$/.test(locale))
    throw createInvalidRequestError('Invalid locale', 'locale');
  return locale ?? null;
}
