import type Stripe from 'stripe';
import {
  PaymentError,
  type PaymentProvider,
  type PaymentWebhookEvent,
  type ProviderInvoice,
} from '../payments.port.ts';
import { verifyStripeWebhookBody } from './event-signature.ts';
import { findStripeEventSubject } from './event-subject.ts';
import { fromUnixSeconds, isStripeLiveKey } from './stripe-values.ts';
import { EMPTY_INVOICE_PAYMENT_SUMMARY, toProviderInvoice } from './to-provider-invoice.ts';
import { toProviderSubscription } from './to-provider-subscription.ts';

/** Above any real id or type. */
const MAX_NAME_LENGTH = 255;

/** The end of the year 9999, in seconds. */
const MAX_UNIX_SECONDS = 253_402_300_799;

export function createStripeEventMethods(
  load: () => Pick<Stripe, 'webhooks'>,
  settings: { secretKey: string; webhookSecrets: readonly string[] },
): Pick<PaymentProvider, 'readEvent'> {
  const isLiveMode = isStripeLiveKey(settings.secretKey);
  return {
    readEvent(body, signature, now) {
      const event = verifyStripeWebhookBody(load(), settings.webhookSecrets, body, signature, now);
      if (!isEvent(event)) throw new PaymentError('SIGNATURE', 'NOT_AN_EVENT');
      if ((event.livemode === true) !== isLiveMode) throw new PaymentError('SIGNATURE', 'MODE');
      return toPaymentEvent(event, now);
    },
  };
}

type UnverifiedEvent = { id: string } & Partial<Stripe.Event>;

function isEvent(value: unknown): value is UnverifiedEvent {
  const { object, id } = { ...(value as Partial<Stripe.Event>) };
  return object === 'event' && isShortString(id);
}

function isShortString(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH;
}

function toPaymentEvent(
  { id, type, created, account, data }: UnverifiedEvent,
  now: Date,
): PaymentWebhookEvent {
  const kind = isShortString(type) ? type : 'unknown';
  const object = data?.object ?? null;
  // Events of connected accounts are ignored.
  const subject = object === null || account !== undefined ? null : findStripeEventSubject(kind, object);
  const createdAt = isUnixSeconds(created) ? fromUnixSeconds(created) : now;
  return {
    id,
    kind,
    createdAt,
    subject,
    snapshot: subject && object && toEventSnapshot(kind, object, createdAt),
  };
}

function isUnixSeconds(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && seconds >= 0 && seconds <= MAX_UNIX_SECONDS;
}

/** Null when the event cannot be parsed: it has the shape of the webhook's API version. */
function toEventSnapshot(
  kind: string,
  object: Stripe.Event.Data.Object,
  createdAt: Date,
): PaymentWebhookEvent['snapshot'] {
  const stripeObject = object as Stripe.Subscription | Stripe.Invoice | { object: string };
  try {
    if (isSubscription(stripeObject)) {
      const subscription = toProviderSubscription(stripeObject);
      const isOver = kind === 'customer.subscription.deleted' && subscription?.state !== 'CANCELED';
      return subscription && isOver
        ? { ...subscription, state: 'CANCELED', endedAt: fromUnixSeconds(stripeObject.ended_at) ?? createdAt }
        : subscription;
    }
    const invoice = isInvoice(stripeObject)
      ? toProviderInvoice(stripeObject, EMPTY_INVOICE_PAYMENT_SUMMARY)
      : null;
    return invoice && hasAllAmounts(invoice) ? invoice : null;
  } catch {
    return null;
  }
}

/** API versions before 2018 lack the paid amount. */
function hasAllAmounts({ total, amountPaid, attempts }: ProviderInvoice): boolean {
  return [total, amountPaid, attempts].every(Number.isSafeInteger);
}

function isSubscription(stripeObject: { object: string }): stripeObject is Stripe.Subscription {
  return stripeObject.object === 'subscription';
}

function isInvoice(stripeObject: { object: string }): stripeObject is Stripe.Invoice {
  return stripeObject.object === 'invoice';
}
