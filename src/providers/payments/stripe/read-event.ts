import type Stripe from 'stripe';
import { type PaidInvoice, PaymentError, type PaymentEvent, type PaymentProvider } from '../payments.port.ts';
import { verifiedBody } from './event-signature.ts';
import { subjectOf } from './event-subject.ts';
import { invoiceOf, NO_FACTS } from './invoice-of.ts';
import { dateOf, isLive } from './stripe-values.ts';
import { subscriptionOf } from './subscription-of.ts';

/** Longer than any id or kind that there is. */
const LONGEST_NAME = 255;

/** The end of the year 9999, in seconds. */
const LATEST = 253_402_300_799;

/** Reads events of the mode that the secret key is of. */
export function createEventReader(
  load: () => Pick<Stripe, 'webhooks'>,
  settings: { secretKey: string; webhookSecrets: readonly string[] },
): Pick<PaymentProvider, 'readEvent'> {
  const mode = isLive(settings.secretKey);
  return {
    readEvent(body, signature, now) {
      const event = verifiedBody(load(), settings.webhookSecrets, body, signature, now);
      if (!isEvent(event)) throw new PaymentError('SIGNATURE', 'NOT_AN_EVENT');
      if ((event.livemode === true) !== mode) throw new PaymentError('SIGNATURE', 'MODE');
      return eventOf(event, now);
    },
  };
}

/** An event as it may come: an id is all that it cannot do without. */
type LooseEvent = { id: string } & Partial<Stripe.Event>;

function isEvent(value: unknown): value is LooseEvent {
  const { object, id } = { ...(value as Partial<Stripe.Event>) };
  return object === 'event' && isName(id);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME;
}

function eventOf({ id, type, created, account, data }: LooseEvent, now: Date): PaymentEvent {
  const kind = isName(type) ? type : 'unknown';
  const object = data?.object ?? null;
  // What belongs to an account that is connected to this one is none of ours.
  const subject = object === null || account !== undefined ? null : subjectOf(kind, object);
  const createdAt = isMoment(created) ? dateOf(created) : now;
  return { id, kind, createdAt, subject, copy: subject && object && copyOf(kind, object, createdAt) };
}

function isMoment(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && seconds >= 0 && seconds <= LATEST;
}

/** Null also for what cannot be read: an event has the shape of the version that the webhook was made for. */
function copyOf(kind: string, object: Stripe.Event.Data.Object, createdAt: Date): PaymentEvent['copy'] {
  const told = object as Stripe.Subscription | Stripe.Invoice | { object: string };
  try {
    if (isSubscription(told)) {
      const sold = subscriptionOf(told);
      const isOver = kind === 'customer.subscription.deleted' && sold?.state !== 'CANCELED';
      return sold && isOver
        ? { ...sold, state: 'CANCELED', endedAt: dateOf(told.ended_at) ?? createdAt }
        : sold;
    }
    const invoice = isInvoice(told) ? invoiceOf(told, NO_FACTS) : null;
    return invoice && isWhole(invoice) ? invoice : null;
  } catch {
    return null;
  }
}

/** Versions of before 2018 do not say what was paid. */
function isWhole({ total, amountPaid, attempts }: PaidInvoice): boolean {
  return [total, amountPaid, attempts].every(Number.isSafeInteger);
}

function isSubscription(told: { object: string }): told is Stripe.Subscription {
  return told.object === 'subscription';
}

function isInvoice(told: { object: string }): told is Stripe.Invoice {
  return told.object === 'invoice';
}
