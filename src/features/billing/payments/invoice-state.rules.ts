import type { BillingEventName } from '../../../shared/domain-events.ts';
import {
  listChangedFields,
  type PaymentNotificationDraft,
  type PaymentStateTransition,
} from './subscription-state.rules.ts';

export interface InvoiceFields {
  providerSubscriptionId: string | null;
  number: string | null;
  state: string;
  currency: string;
  total: number;
  amountPaid: number;
  amountRefunded: number;
  isDisputed: boolean;
  isDisputeLost: boolean;
  attempts: number;
  needsAction: boolean;
  nextAttemptAt: Date | null;
  periodStart: Date | null;
  periodEnd: Date | null;
  issuedAt: Date;
  paidAt: Date | null;
}

export interface RemoteInvoice extends Omit<InvoiceFields, 'providerSubscriptionId'> {
  id: string;
  subscriptionId: string | null;
}

export interface InvoiceNotificationDraft extends PaymentNotificationDraft {
  amount: number;
}

/** The latest state wins, and users are notified only of what is true now. A draft makes no row. */
export function applyRemoteInvoice(
  current: InvoiceFields | null,
  remote: RemoteInvoice,
): PaymentStateTransition<InvoiceFields> & { notifications: InvoiceNotificationDraft[] } {
  if (current === null && remote.state === 'DRAFT')
    return { facts: null, isChanged: false, notifications: [] };
  const { number, state, currency, total, amountPaid, isDisputed, attempts } = remote;
  const { isDisputeLost, needsAction, nextAttemptAt, periodStart, periodEnd, issuedAt, paidAt } = remote;
  const facts = {
    providerSubscriptionId: remote.subscriptionId,
    number,
    state,
    currency,
    total,
    amountPaid,
    // Of two payments of an invoice one can be refunded as too much.
    amountRefunded: Math.min(remote.amountRefunded, amountPaid),
    isDisputed,
    isDisputeLost,
    attempts,
    needsAction,
    nextAttemptAt,
    periodStart,
    periodEnd,
    issuedAt,
    paidAt,
  };
  const isChanged = current === null || listChangedFields(current, facts).length > 0;
  return { facts, isChanged, notifications: createNotificationDrafts(current, facts, remote.id) };
}

/** Whether the money is gone: the subscription may end (docs/guides/billing.md#refunds-and-disputes). */
export function isPaymentReversed(
  invoice: Pick<InvoiceFields, 'amountPaid' | 'amountRefunded' | 'isDisputeLost'>,
): boolean {
  return invoice.isDisputeLost || isFullyRefunded(invoice);
}

function isFullyRefunded({
  amountPaid,
  amountRefunded,
}: Pick<InvoiceFields, 'amountPaid' | 'amountRefunded'>): boolean {
  return amountRefunded > 0 && amountRefunded >= amountPaid;
}

function createNotificationDrafts(
  before: InvoiceFields | null,
  after: InvoiceFields,
  id: string,
): InvoiceNotificationDraft[] {
  const about = (event: BillingEventName, what: string, amount: number, at: Date | null) => ({
    key: `invoice:${id}:${what}`,
    event,
    amount,
    at,
  });
  const notifications: InvoiceNotificationDraft[] = [];
  const isPaid = after.state === 'PAID';
  const isOwed = after.state === 'OPEN' || after.state === 'UNCOLLECTIBLE';
  const isRefunded = isFullyRefunded(after);
  if (isPaid && before?.state !== 'PAID' && after.amountPaid > 0 && !isRefunded)
    notifications.push(about('payment.received', 'paid', after.amountPaid, after.paidAt));
  if (isOwed && after.needsAction && !before?.needsAction)
    notifications.push(about('payment.action_required', 'action', after.total, null));
  else if (isOwed && !after.needsAction && after.attempts > (before?.attempts ?? 0))
    notifications.push(about('payment.failed', `failed:${after.attempts}`, after.total, after.nextAttemptAt));
  if (after.amountRefunded > (before?.amountRefunded ?? 0))
    notifications.push(
      about('payment.refunded', `refunded:${after.amountRefunded}`, after.amountRefunded, null),
    );
  if (after.isDisputed && !before?.isDisputed)
    notifications.push(about('payment.disputed', 'disputed', after.amountPaid, null));
  return notifications;
}
