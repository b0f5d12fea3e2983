import type Stripe from 'stripe';
import { type InvoiceState, type PaidInvoice, PaymentError } from '../payments.port.ts';
import { amountOf, dateOf, idOf } from './stripe-values.ts';

/** What is known of an invoice by its payments alone. */
export interface PaymentFacts {
  /** As Stripe counts it. */
  refunded: number;
  isDisputed: boolean;
  needsAction: boolean;
}

export const NO_FACTS: PaymentFacts = { refunded: 0, isDisputed: false, needsAction: false };

const STATES: ReadonlyMap<string, InvoiceState> = new Map([
  ['draft', 'DRAFT'],
  ['open', 'OPEN'],
  ['paid', 'PAID'],
  ['void', 'VOID'],
  ['uncollectible', 'UNCOLLECTIBLE'],
]);

/** Where older versions of the interface have some of an invoice, which an event may be of. */
interface Older {
  /** Before 2025. */
  subscription?: string | { id: string } | null;
  /** Before March 2019. */
  date?: number;
  status_transitions?: Stripe.Invoice.StatusTransitions;
}

/** Where versions before 2025 say what a line is for. */
interface OlderLine {
  type?: string;
  proration?: boolean;
}

/** An invoice in the words of the port; null for one of nobody. */
export function invoiceOf(invoice: Stripe.Invoice, facts: PaymentFacts): PaidInvoice | null {
  const customerId = idOf(invoice.customer);
  if (customerId === null) return null;
  const state = STATES.get(invoice.status ?? '');
  if (!state) throw new PaymentError('REFUSED', 'UNKNOWN_STATUS');

  const amount = (value: number) => amountOf(value, invoice.currency);
  const details = invoice.parent?.subscription_details;
  const older = invoice as Older;
  const period = periodOf(invoice);
  return {
    object: 'INVOICE',
    id: invoice.id,
    customerId,
    subscriptionId: idOf(details?.subscription ?? older.subscription),
    number: invoice.number,
    state,
    currency: invoice.currency.toUpperCase(),
    total: amount(invoice.total),
    amountPaid: amount(invoice.amount_paid),
    amountRefunded: amount(facts.refunded),
    isDisputed: facts.isDisputed,
    attempts: invoice.attempt_count,
    needsAction: state === 'OPEN' && facts.needsAction,
    nextAttemptAt: dateOf(invoice.next_payment_attempt),
    periodStart: dateOf(period.start),
    periodEnd: dateOf(period.end),
    issuedAt: dateOf(invoice.created ?? older.date),
    paidAt: dateOf(older.status_transitions?.paid_at),
  };
}

/** What it is for. The invoice's own period is that in which its lines were gathered: the one before. */
function periodOf(invoice: Stripe.Invoice): { start: number; end: number } {
  const lines = invoice.lines.data;
  const whole = lines.filter(isWhole);
  const periods = (whole.length > 0 ? whole : lines).map((line) => line.period);
  if (periods.length === 0) return { start: invoice.period_start, end: invoice.period_end };
  return {
    start: Math.min(...periods.map((period) => period.start)),
    end: Math.max(...periods.map((period) => period.end)),
  };
}

/** Whether a line is for all that is bought in a period, and not for a part of it. */
function isWhole(line: Stripe.InvoiceLineItem): boolean {
  if (line.parent) return line.parent.subscription_item_details?.proration === false;
  const { type, proration } = line as OlderLine;
  return type === 'subscription' && proration === false;
}
