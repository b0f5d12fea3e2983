import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';

/** A code deleted before this moment cannot be brought back any more. */
export function getRestorableSince(now: Date = new Date()): Date {
  return new Date(now.getTime() - LIFETIMES_SECONDS.deletedQrCode * 1000);
}
