import type { Account } from './account.ts';

/**
 * Convert a time of a client that may not know of the advanced clock: the clock by which it is nearer to now
 * applies.
 */
export function toEmulatorTime(account: Account, time: number): number {
  const now = account.getNow();
  const moved = time + account.clockOffsetSeconds;
  return Math.abs(moved - now) < Math.abs(time - now) ? moved : time;
}
