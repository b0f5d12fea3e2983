import type { Account } from './account.ts';
import { EMPTY_INVOICE, EMPTY_PAYMENT_INTENT } from './empty-invoice.ts';
import { generateStripeId } from './ids.ts';
import type { Customer, Invoice, InvoiceLine, Subscription } from './sales-objects.ts';
import { toPublicObject } from './stripe-object.ts';

export interface InvoiceDraft {
  customer: Customer;
  subscription: Subscription;
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'upcoming';
  lines: InvoiceLine[];
  period: { start: number; end: number };
  prorationDate?: number | undefined;
}

/** Create an invoice without adding it to the account, also for previews. */
export function createInvoiceDraft(account: Account, draft: InvoiceDraft): Invoice {
  const { customer, subscription, reason, period } = draft;
  const id = reason === 'upcoming' ? generateStripeId('upcoming_in') : generateStripeId('in');
  const lines = draft.lines.map((line) => ({ ...line, invoice: reason === 'upcoming' ? null : id }));
  const total = lines.reduce((sum, line) => sum + line.amount, 0);
  const balances = applyBalance(total, customer.balance);
  return {
    ...EMPTY_INVOICE,
    id,
    object: 'invoice',
    amount_due: balances.due,
    amount_paid: 0,
    amount_remaining: balances.due,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    billing_reason: reason,
    created: account.getNow(),
    currency: subscription.currency,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name,
    customer_phone: null,
    default_payment_method: null,
    effective_at: null,
    ending_balance: null,
    hosted_invoice_url: null,
    lines: {
      object: 'list',
      data: lines,
      has_more: false,
      total_count: lines.length,
      url: `/v1/invoices/${id}/lines`,
    },
    metadata: {},
    next_payment_attempt: null,
    number: null,
    parent: {
      quote_details: null,
      subscription_details: {
        metadata: { ...subscription.metadata },
        subscription: subscription.id,
        ...(draft.prorationDate ? { subscription_proration_date: draft.prorationDate } : {}),
      },
      type: 'subscription_details',
    },
    period_end: period.end,
    period_start: period.start,
    starting_balance: customer.balance,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
  };
}

/** Apply a customer balance; negative is a credit. */
export function applyBalance(total: number, balance: number): { due: number; remainingBalance: number } {
  const due = Math.max(0, total + balance);
  return { due, remainingBalance: total + balance - due };
}

export function finalizeInvoice(account: Account, invoice: Invoice): void {
  const now = account.getNow();
  const customer = account.require('customer', invoice.customer);
  const { due, remainingBalance } = applyBalance(invoice.total, customer.balance);
  const number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`;
  const before = customer.balance;
  account.update(customer, {
    balance: remainingBalance,
    currency: invoice.currency,
    next_invoice_sequence: customer.next_invoice_sequence + 1,
  });
  if (remainingBalance !== before) account.emit('customer.updated', customer, { balance: before });
  account.update(
    invoice,
    {
      amount_due: due,
      amount_remaining: due,
      effective_at: now,
      ending_balance: remainingBalance,
      hosted_invoice_url: `${account.base}/invoices/${invoice.id}`,
      number,
      starting_balance: before,
      status: 'open',
      status_transitions: { ...invoice.status_transitions, finalized_at: now },
    },
    'invoice.finalized',
  );
  if (due > 0) preparePayment(account, invoice);
}

export function toInvoiceWithPayments(account: Account, invoice: Invoice) {
  const data = account.list('invoice_payment').filter((payment) => payment.invoice === invoice.id);
  const url = `/v1/invoice_payments?invoice=${invoice.id}`;
  return { object: 'list', data: data.map(toPublicObject), has_more: false, url };
}

function preparePayment(account: Account, invoice: Invoice): void {
  const intent = account.add(
    'payment_intent',
    {
      ...EMPTY_PAYMENT_INTENT,
      id: generateStripeId('pi'),
      object: 'payment_intent',
      amount: invoice.amount_due,
      amount_received: 0,
      client_secret: generateStripeId('pi_secret'),
      created: account.getNow(),
      currency: invoice.currency,
      customer: invoice.customer,
      description: `Invoice ${invoice.number}`,
      last_payment_error: null,
      latest_charge: null,
      metadata: {},
      next_action: null,
      payment_method: null,
      status: 'requires_payment_method',
    },
    'payment_intent.created',
  );
  account.add('invoice_payment', {
    id: generateStripeId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: account.getNow(),
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  });
}
