import type { Account } from './account.ts';

/**
 * Convert a time of a client that may not know of the advanced clock: the clock by which it is nearer to now
 * applies.
 */
export function toEmulatorTime(account: Account, named: number): number {
  const now = account.getNow();
  const moved = named + account.clockOffsetSeconds;
  return Math.abs(moved - now) < Math.abs(named - now) ? moved : named;
}
