/** Days within which a deleted code can be brought back. */
const RESTORE_DAYS = 30;

/** A code deleted before this moment cannot be brought back any more. */
export function restorableSince(now: Date = new Date()): Date {
  return new Date(now.getTime() - RESTORE_DAYS * 24 * 60 * 60 * 1000);
}
