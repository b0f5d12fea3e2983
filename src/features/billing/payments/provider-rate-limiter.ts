import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls a second by the jobs and commands of one process: Stripe lets an account read 100 times a second, 25 in test
 * mode, and what people wait for needs some of it.
 */
const MAX_CALLS_PER_SECOND = 20;

/** Seconds for which everything rests after failures in a row, twice as long with each. */
const MAX_BACKOFF_SECONDS = 60;

/** Under what rate a process asks a provider on its own account, and when it leaves it alone. */
export interface ProviderRateLimiter {
  /** Resolves when the next call may be made. */
  acquire(): Promise<void>;
  /** Seconds that are left of a rest; 0 where there is none. */
  getBackoffSeconds(): number;
  /** The provider is away, or wants to be left alone for so many seconds. */
  recordFailure(retryAfter: number | null): void;
  recordSuccess(): void;
}

/** A pace of its own for one process. */
export function createProviderRateLimiter(perSecond = MAX_CALLS_PER_SECOND): ProviderRateLimiter {
  const intervalMs = 1000 / perSecond;
  let next = 0;
  let backoffUntil = 0;
  let failures = 0;
  return {
    async acquire() {
      const now = performance.now();
      const at = Math.max(now, next);
      next = at + intervalMs;
      if (at > now) await sleep(at - now);
    },
    getBackoffSeconds: () => Math.max(0, Math.ceil((backoffUntil - performance.now()) / 1000)),
    recordFailure(retryAfter) {
      const seconds = retryAfter ?? Math.min(MAX_BACKOFF_SECONDS, 2 ** failures);
      failures = Math.min(failures + 1, 10);
      backoffUntil = Math.max(backoffUntil, performance.now() + seconds * 1000);
    },
    recordSuccess() {
      failures = 0;
    },
  };
}
