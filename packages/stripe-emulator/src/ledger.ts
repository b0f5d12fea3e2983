import type { Account } from './account.ts';
import { shown } from './object.ts';

/** All the money of an account, for comparison with what somebody else has written down. */
export function ledgerOf(account: Account) {
  return {
    now: account.now(),
    customers: account.all('customer').map(shown),
    subscriptions: account.all('subscription').map(shown),
    invoices: account.all('invoice').map(shown),
    payments: account.all('invoice_payment').map(shown),
    charges: account.all('charge').map(shown),
    refunds: account.all('refund').map(shown),
    disputes: account.all('dispute').map(shown),
  };
}
