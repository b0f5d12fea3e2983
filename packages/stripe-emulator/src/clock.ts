import type { Account } from './account.ts';
import { expireCheckout } from './checkout.ts';
import { collectPayment } from './collect-payment.ts';
import { createInvalidRequestError } from './stripe-error.ts';
import { processDueSubscription } from './subscription-lifecycle.ts';

/** Seconds by which the clock is moved at most at once. */
const MAX_CLOCK_ADVANCE_SECONDS = 800 * 86_400;

/** Does all that has become due, each thing as of its own moment and in order. */
export function processDueObjects(account: Account): void {
  const until = account.getNow();
  for (let due = account.findNextDue(until); due; due = account.findNextDue(until)) {
    const { kind, id, runAt } = due;
    account.runAt(runAt, () => processDueObject(account, kind, id));
  }
}

/** Moves the clock on, never back, and does what becomes due on the way. */
export function advanceClock(account: Account, seconds: number): void {
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > MAX_CLOCK_ADVANCE_SECONDS)
    throw createInvalidRequestError(
      `The clock moves on by 0 to ${MAX_CLOCK_ADVANCE_SECONDS} whole seconds at a time.`,
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
