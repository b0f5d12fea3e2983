import { createLimiter, type Limiter } from '../../shared/limiter.ts';

/** Below the size of the connection pool, so that bursts leave connections to other requests. */
const CONCURRENCY = 4;

const MAX_WAITING_SCANS = 500;

/**
 * Create the limiter of scans that need their own transaction: bursts wait in memory and not for connections,
 * which time out.
 * The limiter throws BUSY when the queue is full.
 */
export function createScanLimiter(): Limiter {
  return createLimiter(CONCURRENCY, { maxQueued: MAX_WAITING_SCANS, retryAfterSeconds: 1 });
}
