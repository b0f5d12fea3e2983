import type { Account } from './account.ts';
import { getCardBehavior } from './cards.ts';
import { createCharge } from './charges.ts';
import type { Invoice, InvoicePayment, PaymentIntent, PaymentMethod } from './sales-objects.ts';

/** `action`: the customer must confirm the payment first. */
export type PaymentOutcome = 'paid' | 'failed' | 'action';

/** Find the payment of an invoice and its intent; null when nothing is due. */
export function findInvoicePayment(
  account: Account,
  invoice: Invoice,
): { payment: InvoicePayment; intent: PaymentIntent } | null {
  const payment = account.list('invoice_payment').findLast((one) => one.invoice === invoice.id);
  return payment
    ? { payment, intent: account.require('payment_intent', payment.payment.payment_intent) }
    : null;
}

/** @param confirmed result of the customer's confirmation; undefined for an automatic attempt */
export function attemptPayment(
  account: Account,
  invoice: Invoice,
  card: PaymentMethod | null,
  confirmed?: boolean,
): PaymentOutcome {
  const found = findInvoicePayment(account, invoice);
  if (!found) {
    markPaid(account, invoice, 0);
    return 'paid';
  }
  const behavior = getCardBehavior(card);
  const { payment, intent } = found;
  account.update(intent, { payment_method: card?.id ?? null });
  if (behavior === 'pays' || (behavior === 'confirms' && confirmed)) {
    recordSuccess(account, invoice, payment, intent, card);
    return 'paid';
  }
  account.update(invoice, { attempted: true });
  if (behavior === 'confirms' && confirmed === undefined) {
    const next = {
      type: 'redirect_to_url',
      redirect_to_url: { url: invoice.hosted_invoice_url, return_url: null },
    };
    account.update(
      intent,
      { status: 'requires_action', next_action: next },
      'payment_intent.requires_action',
    );
    return 'action';
  }
  recordFailure(
    account,
    intent,
    card,
    behavior === 'confirms' ? 'payment_intent_authentication_failure' : 'card_declined',
  );
  return 'failed';
}

export function markPaid(account: Account, invoice: Invoice, amount: number): void {
  const transitions = { ...invoice.status_transitions, paid_at: account.getNow() };
  account.update(
    invoice,
    {
      amount_paid: amount,
      amount_remaining: 0,
      attempted: true,
      next_payment_attempt: null,
      status: 'paid',
      status_transitions: transitions,
    },
    'invoice.paid',
  );
  account.emit('invoice.payment_succeeded', invoice);
}

function recordSuccess(
  account: Account,
  invoice: Invoice,
  payment: InvoicePayment,
  intent: PaymentIntent,
  card: PaymentMethod | null,
): void {
  const charge = createCharge(account, intent, card, null);
  account.emit('charge.succeeded', charge);
  account.update(
    intent,
    {
      amount_received: intent.amount,
      last_payment_error: null,
      latest_charge: charge.id,
      next_action: null,
      status: 'succeeded',
    },
    'payment_intent.succeeded',
  );
  const paid = { canceled_at: null, paid_at: account.getNow() };
  account.update(
    payment,
    { amount_paid: intent.amount, status: 'paid', status_transitions: paid },
    'invoice_payment.paid',
  );
  markPaid(account, invoice, intent.amount);
}

function recordFailure(
  account: Account,
  intent: PaymentIntent,
  card: PaymentMethod | null,
  code: string,
): void {
  const message = 'Your card was declined.';
  // Without a card there is no charge.
  const charge = card && createCharge(account, intent, card, { code, message });
  if (charge) account.emit('charge.failed', charge);
  const error = { code, decline_code: 'generic_decline', message, type: 'card_error' };
  account.update(
    intent,
    {
      last_payment_error: error,
      latest_charge: charge?.id ?? intent.latest_charge,
      next_action: null,
      payment_method: null,
      status: 'requires_payment_method',
    },
    'payment_intent.payment_failed',
  );
}
