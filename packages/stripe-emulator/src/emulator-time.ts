import type { Account } from './account.ts';

/** Convert a time by the real or the advanced clock, whichever is nearer: a client may not know the latter. */
export function toEmulatorTime(account: Account, time: number): number {
  const now = account.getNow();
  const moved = time + account.clockOffsetSeconds;
  return Math.abs(moved - now) < Math.abs(time - now) ? moved : time;
}
