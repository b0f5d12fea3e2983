import type Stripe from 'stripe';
import type { PaymentObjectReference } from '../payments.port.ts';
import { getStripeObjectId } from './stripe-values.ts';

/** Find the object to sync for an event, by the event's object and not by its type. */
export function findStripeEventSubject(
  kind: string,
  object: Stripe.Event.Data.Object,
): PaymentObjectReference | null {
  const found = findReference(kind, object as unknown as EventObject);
  return found && isStripeId(found.id) ? { object: found.object, id: found.id } : null;
}

function isStripeId(id: unknown): id is string {
  return typeof id === 'string' && /^\w{1,255}$/.test(id);
}

type EventObject =
  | { object: 'checkout.session' | 'subscription' | 'invoice' | 'charge' | 'customer'; id?: string }
  | { object: 'invoice_payment'; invoice: string | { id: string } }
  | { object: 'refund' | 'dispute'; charge: string | { id: string } | null };

function findReference(
  kind: string,
  eventObject: EventObject,
): { object: PaymentObjectReference['object']; id: string | null } | null {
  switch (eventObject.object) {
    case 'checkout.session':
      return { object: 'CHECKOUT', id: getStripeObjectId(eventObject.id) };
    case 'subscription':
      return { object: 'SUBSCRIPTION', id: getStripeObjectId(eventObject.id) };
    // An upcoming invoice has no id.
    case 'invoice':
      return kind === 'invoice.upcoming'
        ? null
        : { object: 'INVOICE', id: getStripeObjectId(eventObject.id) };
    case 'invoice_payment':
      return { object: 'INVOICE', id: getStripeObjectId(eventObject.invoice) };
    // The invoice's own events cover other charges.
    case 'charge':
      return kind === 'charge.refunded' ? { object: 'CHARGE', id: getStripeObjectId(eventObject.id) } : null;
    case 'refund':
    case 'dispute':
      return { object: 'CHARGE', id: getStripeObjectId(eventObject.charge) };
    case 'customer':
      return kind === 'customer.deleted'
        ? { object: 'CUSTOMER', id: getStripeObjectId(eventObject.id) }
        : null;
    default:
      return null;
  }
}
