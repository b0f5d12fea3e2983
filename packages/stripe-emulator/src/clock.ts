import type { Account } from './account.ts';
import { expireCheckout } from './checkout.ts';
import { collectPayment } from './collect-payment.ts';
import { createInvalidRequestError } from './stripe-error.ts';
import { processDueSubscription } from './subscription-lifecycle.ts';

const MAX_CLOCK_ADVANCE_SECONDS = 800 * 86_400;

/** Process all due objects in order, each at its own time. */
export function processDueObjects(account: Account): void {
  const until = account.getNow();
  for (let due = account.findNextDue(until); due; due = account.findNextDue(until)) {
    const { kind, id, runAt } = due;
    account.runAt(runAt, () => processDueObject(account, kind, id));
  }
}

export function advanceClock(account: Account, seconds: number): void {
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > MAX_CLOCK_ADVANCE_SECONDS)
    throw createInvalidRequestError(
      `The clock advances by 0 to ${MAX_CLOCK_ADVANCE_SECONDS} whole seconds per call.`,
      'seconds',
    );
  processDueObjects(account);
  account.advanceClock(seconds);
  processDueObjects(account);
}

function processDueObject(account: Account, kind: string, id: string): void {
  if (kind === 'subscription') processDueSubscription(account, account.require('subscription', id));
  else if (kind === 'checkout.session') expireCheckout(account, account.require('checkout.session', id));
  else {
    const invoice = account.require('invoice', id);
    account.update(invoice, { next_payment_attempt: null });
    if (invoice.status === 'open') collectPayment(account, invoice, { isAutomatic: true });
  }
}
