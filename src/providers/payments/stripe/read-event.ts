import type Stripe from 'stripe';
import { PaymentError, type PaymentEvent, type PaymentProvider } from '../payments.port.ts';
import { verifiedBody } from './event-signature.ts';
import { subjectOf } from './event-subject.ts';
import { invoiceOf, NO_FACTS } from './invoice-of.ts';
import { dateOf } from './stripe-values.ts';
import { subscriptionOf } from './subscription-of.ts';

/** Reads events of the mode that the secret key is of. */
export function createEventReader(
  library: Pick<Stripe, 'webhooks'>,
  settings: { secretKey: string; webhookSecrets: readonly string[] },
): Pick<PaymentProvider, 'readEvent'> {
  const isLive = /^[sr]k_live_/.test(settings.secretKey);
  return {
    readEvent(body, signature, now) {
      const event = verifiedBody(library, settings.webhookSecrets, body, signature, now);
      if (!isEvent(event)) throw new PaymentError('SIGNATURE', 'NOT_AN_EVENT');
      if (event.livemode !== isLive) throw new PaymentError('SIGNATURE', 'MODE');
      return eventOf(event);
    },
  };
}

function isEvent(value: unknown): value is Stripe.Event {
  const { object, id, type, created, livemode, data } = { ...(value as Partial<Stripe.Event>) };
  return (
    object === 'event' &&
    [id, type].every((text) => typeof text === 'string' && text !== '' && text.length <= 255) &&
    Number.isSafeInteger(created) &&
    typeof livemode === 'boolean' &&
    typeof data?.object === 'object' &&
    data.object !== null
  );
}

function eventOf({ id, type, created, account, data: { object } }: Stripe.Event): PaymentEvent {
  // What belongs to an account that is connected to this one is none of ours.
  const subject = account === undefined ? subjectOf(type, object) : null;
  return { id, kind: type, createdAt: dateOf(created), subject, copy: subject && copyOf(type, object) };
}

/** Null also for what cannot be read: an event has the shape of the version that the webhook was made for. */
function copyOf(kind: string, object: Stripe.Event.Data.Object): PaymentEvent['copy'] {
  const told = object as Stripe.Subscription | Stripe.Invoice | { object: string };
  try {
    if (isSubscription(told)) return subscriptionOf(told);
    if (!isInvoice(told)) return null;
    const invoice = invoiceOf(told, NO_FACTS);
    // A draft that is no more will never be paid.
    return invoice && kind === 'invoice.deleted' ? { ...invoice, state: 'VOID' } : invoice;
  } catch {
    return null;
  }
}

function isSubscription(told: { object: string }): told is Stripe.Subscription {
  return told.object === 'subscription';
}

function isInvoice(told: { object: string }): told is Stripe.Invoice {
  return told.object === 'invoice';
}
