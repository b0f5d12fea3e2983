import type { Account } from './account.ts';

/**
 * A moment of the account's clock, for one that was named by somebody who may not know that it was moved on: it is read
 * by the clock that brings it nearer to now.
 */
export function toEmulatorTime(account: Account, named: number): number {
  const now = account.getNow();
  const moved = named + account.clockOffsetSeconds;
  return Math.abs(moved - now) < Math.abs(named - now) ? moved : named;
}
