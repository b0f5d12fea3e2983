import type { Account } from './account.ts';
import { expireCheckout } from './checkout.ts';
import { collect } from './collection.ts';
import { liveOn } from './life.ts';
import { invalid } from './stripe-error.ts';

/** Seconds by which the clock is moved at most at once. */
const FARTHEST = 800 * 86_400;

/** Does all that has become due, each thing as of its own moment and in order. */
export function catchUp(account: Account): void {
  const until = account.now();
  for (let due = account.nextDue(until); due; due = account.nextDue(until)) {
    const { kind, id, at } = due;
    account.at(at, () => liveThrough(account, kind, id));
  }
}

/** Moves the clock on, never back, and does what becomes due on the way. */
export function moveClock(account: Account, seconds: number): void {
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > FARTHEST)
    throw invalid(`The clock moves on by 0 to ${FARTHEST} whole seconds at a time.`, 'seconds');
  catchUp(account);
  account.move(seconds);
  catchUp(account);
}

function liveThrough(account: Account, kind: string, id: string): void {
  if (kind === 'subscription') liveOn(account, account.need('subscription', id));
  else if (kind === 'checkout.session') expireCheckout(account, account.need('checkout.session', id));
  else {
    const invoice = account.need('invoice', id);
    account.change(invoice, { next_payment_attempt: null });
    if (invoice.status === 'open') collect(account, invoice, { automatic: true });
  }
}
