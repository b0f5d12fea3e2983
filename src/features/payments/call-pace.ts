import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls a second by the jobs and commands of one process: Stripe lets an account read 100 times a second, 25 in test
 * mode, and what people wait for needs some of it.
 */
const PER_SECOND = 20;

/** Seconds for which everything rests after failures in a row, twice as long with each. */
const LONGEST_REST = 60;

/** Under what rate a process asks a provider on its own account, and when it leaves it alone. */
export interface CallPace {
  /** Resolves when the next call may be made. */
  turn(): Promise<void>;
  /** Seconds that are left of a rest; 0 where there is none. */
  restsFor(): number;
  /** The provider is away, or wants to be left alone for so many seconds. */
  failed(retryAfter: number | null): void;
  answered(): void;
}

/** A pace of its own for one process. */
export function createCallPace(perSecond = PER_SECOND): CallPace {
  const gap = 1000 / perSecond;
  let next = 0;
  let restsUntil = 0;
  let failures = 0;
  return {
    async turn() {
      const now = performance.now();
      const at = Math.max(now, next);
      next = at + gap;
      if (at > now) await sleep(at - now);
    },
    restsFor: () => Math.max(0, Math.ceil((restsUntil - performance.now()) / 1000)),
    failed(retryAfter) {
      const seconds = retryAfter ?? Math.min(LONGEST_REST, 2 ** failures);
      failures = Math.min(failures + 1, 10);
      restsUntil = Math.max(restsUntil, performance.now() + seconds * 1000);
    },
    answered() {
      failures = 0;
    },
  };
}
