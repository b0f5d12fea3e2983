import type { PaymentNews } from './payment-news.ts';
import { type Applied, changedFields, type News } from './subscription-state.rules.ts';

/** What of an invoice is kept, but for whose it is. */
export interface InvoiceFacts {
  providerSubscriptionId: string | null;
  number: string | null;
  state: string;
  currency: string;
  total: number;
  amountPaid: number;
  amountRefunded: number;
  isDisputed: boolean;
  attempts: number;
  needsAction: boolean;
  nextAttemptAt: Date | null;
  periodStart: Date | null;
  periodEnd: Date | null;
  issuedAt: Date;
  paidAt: Date | null;
}

/** What a provider says of an invoice. */
export interface SeenInvoice extends Omit<InvoiceFacts, 'providerSubscriptionId'> {
  id: string;
  subscriptionId: string | null;
}

/** News of an amount. */
export interface InvoiceNews extends News {
  amount: number;
}

/**
 * What becomes of the row of an invoice when its provider says this of it: what is said last is right, and people are
 * told only what is true now. A draft that nobody was asked to pay makes no row.
 */
export function applyInvoice(
  current: InvoiceFacts | null,
  seen: SeenInvoice,
): Applied<InvoiceFacts> & { news: InvoiceNews[] } {
  if (current === null && seen.state === 'DRAFT') return { facts: null, isChanged: false, news: [] };
  const { number, state, currency, total, amountPaid, amountRefunded, isDisputed, attempts } = seen;
  const { needsAction, nextAttemptAt, periodStart, periodEnd, issuedAt, paidAt } = seen;
  const facts = {
    ...{ providerSubscriptionId: seen.subscriptionId, number, state, currency, total, amountPaid },
    ...{ amountRefunded, isDisputed, attempts, needsAction, nextAttemptAt, periodStart, periodEnd },
    ...{ issuedAt, paidAt },
  };
  const isChanged = current === null || changedFields(current, facts).length > 0;
  return { facts, isChanged, news: newsOf(current, facts, seen.id) };
}

/** What of an invoice says how far it has come. */
type Reached = Pick<SeenInvoice, 'state' | 'attempts'>;

const STAGES = ['DRAFT', 'OPEN', 'UNCOLLECTIBLE', 'VOID', 'PAID'];

/** Below zero where the first has come less far, above where further; 0 where neither. */
export function compareReached(one: Reached, other: Reached): number {
  return STAGES.indexOf(one.state) - STAGES.indexOf(other.state) || one.attempts - other.attempts;
}

/**
 * What an event itself said of an invoice at its time, as it can be applied to a row: it takes nothing back, and knows
 * nothing of refunds and disputes. Null where the row has come further.
 */
export function withoutLoss(current: InvoiceFacts | null, said: SeenInvoice): SeenInvoice | null {
  if (current === null) return said;
  if (compareReached(said, current) < 0) return null;
  return { ...said, amountRefunded: current.amountRefunded, isDisputed: current.isDisputed };
}

function newsOf(before: InvoiceFacts | null, after: InvoiceFacts, id: string): InvoiceNews[] {
  const about = (event: PaymentNews['event'], what: string, amount: number, at: Date | null) => ({
    ...{ key: `invoice:${id}:${what}`, event, amount, at },
  });
  const news: InvoiceNews[] = [];
  const isPaid = after.state === 'PAID';
  const isOwed = after.state === 'OPEN' || after.state === 'UNCOLLECTIBLE';
  const isGivenBack = after.amountRefunded > 0 && after.amountRefunded >= after.amountPaid;
  if (isPaid && before?.state !== 'PAID' && after.amountPaid > 0 && !isGivenBack)
    news.push(about('PAYMENT_RECEIVED', 'paid', after.amountPaid, after.paidAt));
  if (isOwed && after.needsAction && !before?.needsAction)
    news.push(about('PAYMENT_ACTION_NEEDED', 'action', after.total, null));
  else if (isOwed && !after.needsAction && after.attempts > (before?.attempts ?? 0))
    news.push(about('PAYMENT_FAILED', `failed:${after.attempts}`, after.total, after.nextAttemptAt));
  if (after.amountRefunded > (before?.amountRefunded ?? 0))
    news.push(about('PAYMENT_REFUNDED', `refunded:${after.amountRefunded}`, after.amountRefunded, null));
  if (after.isDisputed && !before?.isDisputed)
    news.push(about('PAYMENT_DISPUTED', 'disputed', after.amountPaid, null));
  return news;
}
