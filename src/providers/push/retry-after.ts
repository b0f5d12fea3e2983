import { HOUR_SECONDS } from '../../shared/durations.ts';

const MAX_RETRY_AFTER_SECONDS = HOUR_SECONDS;

/** The delay for an exceeded quota without Retry-After, as Firebase requires. */
export const DEFAULT_QUOTA_RETRY_SECONDS = 60;

/** Parse Retry-After, seconds or a date, to seconds; one hour at most. */
export function parseRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000);
  return seconds > 0 ? Math.min(seconds, MAX_RETRY_AFTER_SECONDS) : null;
}
