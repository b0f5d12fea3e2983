import type { Account } from './account.ts';
import type { Invoice } from './objects.ts';
import { paymentOf } from './payments.ts';

/** Takes an open invoice back: nothing is asked for it any more, and what it took of a credit is there again. */
export function voidInvoice(account: Account, invoice: Invoice): Invoice {
  const now = account.now();
  const found = paymentOf(account, invoice);
  if (found) {
    const canceled = { status: 'canceled', canceled_at: now, next_action: null };
    account.change(found.intent, canceled, 'payment_intent.canceled');
    const transitions = { canceled_at: now, paid_at: null };
    account.change(found.payment, { status: 'canceled', status_transitions: transitions });
  }
  const customer = account.need('customer', invoice.customer);
  const taken = (invoice.ending_balance ?? 0) - invoice.starting_balance;
  account.change(customer, { balance: customer.balance - taken }, 'customer.updated');
  const transitions = { ...invoice.status_transitions, voided_at: now };
  return account.change(
    invoice,
    { status: 'void', auto_advance: false, next_payment_attempt: null, status_transitions: transitions },
    'invoice.voided',
  );
}
