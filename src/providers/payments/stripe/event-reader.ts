import type Stripe from 'stripe';
import { PaymentError, type PaymentProvider, type PaymentWebhookEvent } from '../payments.port.ts';
import { verifyStripeWebhookBody } from './event-signature.ts';
import { findStripeEventSubject } from './event-subject.ts';
import { fromUnixSeconds, isStripeLiveKey } from './stripe-values.ts';

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
  const createdAt = parseUnixSeconds(created) ?? now;
  return {
    id,
    kind,
    createdAt,
    subject,
    closure: subject && object && toSubscriptionClosure(kind, object, createdAt),
  };
}

function isUnixSeconds(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && seconds >= 0 && seconds <= MAX_UNIX_SECONDS;
}

/** Null unless the event says that a subscription ended. All else of its copy is a claim that is never stored. */
function toSubscriptionClosure(
  kind: string,
  object: Stripe.Event.Data.Object,
  createdAt: Date,
): PaymentWebhookEvent['closure'] {
  const { object: type, status, canceled_at, ended_at } = object as Partial<Stripe.Subscription>;
  const isOver =
    kind === 'customer.subscription.deleted' || status === 'canceled' || status === 'incomplete_expired';
  if (type !== 'subscription' || !isOver) return null;
  const canceledAt = parseUnixSeconds(canceled_at);
  return { canceledAt, endedAt: parseUnixSeconds(ended_at) ?? canceledAt ?? createdAt };
}

function parseUnixSeconds(seconds: unknown): Date | null {
  return isUnixSeconds(seconds) ? fromUnixSeconds(seconds) : null;
}
