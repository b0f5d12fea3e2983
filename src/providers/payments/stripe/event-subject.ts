import type Stripe from 'stripe';
import type { PaymentSubject } from '../payments.port.ts';
import { idOf } from './stripe-values.ts';

/** What is to be looked at because of an event: by the object that it tells of, whatever happened to that. */
export function subjectOf(kind: string, object: Stripe.Event.Data.Object): PaymentSubject | null {
  const found = referenceOf(kind, object as unknown as Told);
  return found && isId(found.id) ? { object: found.object, id: found.id } : null;
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && /^\w{1,255}$/.test(id);
}

/** The parts of the objects that are read here. */
type Told =
  | { object: 'checkout.session' | 'subscription' | 'invoice' | 'charge' | 'customer'; id?: string }
  | { object: 'invoice_payment'; invoice: string | { id: string } }
  | { object: 'refund' | 'dispute'; charge: string | { id: string } | null };

function referenceOf(
  kind: string,
  told: Told,
): { object: PaymentSubject['object']; id: string | null } | null {
  switch (told.object) {
    case 'checkout.session':
      return { object: 'CHECKOUT', id: idOf(told.id) };
    case 'subscription':
      return { object: 'SUBSCRIPTION', id: idOf(told.id) };
    // One that is only to come has no id.
    case 'invoice':
      return kind === 'invoice.upcoming' ? null : { object: 'INVOICE', id: idOf(told.id) };
    case 'invoice_payment':
      return { object: 'INVOICE', id: idOf(told.invoice) };
    // Of a charge that went through or did not, its invoice tells.
    case 'charge':
      return kind === 'charge.refunded' ? { object: 'CHARGE', id: idOf(told.id) } : null;
    case 'refund':
    case 'dispute':
      return { object: 'CHARGE', id: idOf(told.charge) };
    case 'customer':
      return kind === 'customer.deleted' ? { object: 'CUSTOMER', id: idOf(told.id) } : null;
    default:
      return null;
  }
}
