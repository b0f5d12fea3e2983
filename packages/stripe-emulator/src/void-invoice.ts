import type { Account } from './account.ts';
import { findInvoicePayment } from './payments.ts';
import type { Invoice } from './sales-objects.ts';

export function voidInvoice(account: Account, invoice: Invoice): Invoice {
  const now = account.getNow();
  const found = findInvoicePayment(account, invoice);
  if (found) {
    const canceled = { status: 'canceled', canceled_at: now, next_action: null };
    account.update(found.intent, canceled, 'payment_intent.canceled');
    const transitions = { canceled_at: now, paid_at: null };
    account.update(found.payment, { status: 'canceled', status_transitions: transitions });
  }
  const customer = account.require('customer', invoice.customer);
  const taken = (invoice.ending_balance ?? 0) - invoice.starting_balance;
  account.update(customer, { balance: customer.balance - taken }, 'customer.updated');
  const transitions = { ...invoice.status_transitions, voided_at: now };
  return account.update(
    invoice,
    { status: 'void', auto_advance: false, next_payment_attempt: null, status_transitions: transitions },
    'invoice.voided',
  );
}
