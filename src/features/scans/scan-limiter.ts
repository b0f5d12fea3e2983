import { type ConcurrencyLimiter, createConcurrencyLimiter } from '../../shared/limiter.ts';

/** Below the size of the connection pool, so that bursts leave connections to other requests. */
const CONCURRENCY = 4;

const MAX_WAITING_SCANS = 500;

/** Bursts wait in memory, not for connections, which time out. Throws BUSY when the queue is full. */
export function createScanLimiter(): ConcurrencyLimiter {
  return createConcurrencyLimiter(CONCURRENCY, { maxQueued: MAX_WAITING_SCANS, retryAfterSeconds: 1 });
}
