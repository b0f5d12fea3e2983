import type { Account } from './account.ts';
import { toPublicObject } from './stripe-object.ts';

export function createLedger(account: Account) {
  return {
    now: account.getNow(),
    customers: account.list('customer').map(toPublicObject),
    subscriptions: account.list('subscription').map(toPublicObject),
    invoices: account.list('invoice').map(toPublicObject),
    payments: account.list('invoice_payment').map(toPublicObject),
    charges: account.list('charge').map(toPublicObject),
    refunds: account.list('refund').map(toPublicObject),
    disputes: account.list('dispute').map(toPublicObject),
  };
}
