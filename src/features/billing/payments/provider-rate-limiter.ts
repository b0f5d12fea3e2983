import { setTimeout as sleep } from 'node:timers/promises';

/** Per process. Stripe allows 100 reads per second for an account, 25 in test mode; users need a share. */
const MAX_CALLS_PER_SECOND = 20;

/** The pause doubles with each failure in a row, up to this. */
const MAX_BACKOFF_SECONDS = 60;

export interface PaymentProviderRateLimiter {
  acquire(): Promise<void>;
  /** 0 without a pause. */
  getBackoffSeconds(): number;
  /** `retryAfter` is in seconds. */
  recordFailure(retryAfter: number | null): void;
  recordSuccess(): void;
}

export function createPaymentProviderRateLimiter(
  perSecond = MAX_CALLS_PER_SECOND,
): PaymentProviderRateLimiter {
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
