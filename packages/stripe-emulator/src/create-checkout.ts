import type { Account } from './account.ts';
import { EMPTY_SESSION, NOBODY } from './checkout-shape.ts';
import { readChosen } from './chosen.ts';
import { needCustomer } from './customers.ts';
import { DAY } from './due.ts';
import type { Form } from './form.ts';
import { newId } from './ids.ts';
import type { CheckoutSession } from './objects.ts';
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
import { invalid, missing } from './stripe-error.ts';

/** Seconds for which a page can be open. */
const SHORTEST = 30 * 60;
const LONGEST = DAY;
/** Requests take a while, and clocks differ. */
const GRACE = 60;

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
  refuseUnknown(data, ['metadata', 'trial_period_days', 'trial_end']);
  const now = account.now();
  const named = numberOf(form, 'expires_at');
  const expires = named === undefined ? now + LONGEST : openUntil(account, named);
  const total = chosen.reduce((sum, { price, quantity }) => sum + price.unit_amount * quantity, 0);
  const trialEnd = trialEndOf(data, now);
  const id = newId('cs_test', 58);
  const session: CheckoutSession = {
    ...EMPTY_SESSION,
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

function trialEndOf(data: Form, now: number): number | null {
  const days = numberOf(data, 'trial_period_days');
  return days ? now + days * DAY : (numberOf(data, 'trial_end') ?? null);
}

/** When a page ends. A caller whose clock was not moved counts from its own now. */
function openUntil(account: Account, named: number): number {
  const [shortest, longest] = [account.now() + SHORTEST - GRACE, account.now() + LONGEST + GRACE];
  const end = [named, named + account.moved].find((moment) => moment >= shortest && moment <= longest);
  if (end !== undefined) return end;
  const limit = named < shortest ? 'at least 30 minutes' : 'less than 24 hours';
  throw invalid(
    `The \`expires_at\` timestamp must be ${limit} from Checkout Session creation.`,
    'expires_at',
  );
}

function localeOf(form: Form): string | null {
  const locale = textOf(form, 'locale');
  if (locale && !/^[a-z]{2,4}(-[A-Za-z0-9]{2,4})?$/.test(locale)) throw invalid('Invalid locale', 'locale');
  return locale ?? null;
}
