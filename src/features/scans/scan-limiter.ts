import { createLimiter, type Limiter } from '../../shared/limiter.ts';

/** Scans written at the same time: fewer than the pool has connections, so that a rush leaves some to the others. */
const CONCURRENCY = 4;

/** Scans that may wait; at a few milliseconds each nobody waits for long. */
const MAX_WAITING_SCANS = 500;

/**
 * The line in front of the database for scans of one process that need a transaction of their own: a rush waits here
 * and not for a connection, which would be refused after a while. Throws BUSY when too many wait.
 */
export function createScanLimiter(): Limiter {
  return createLimiter(CONCURRENCY, { maxQueued: MAX_WAITING_SCANS, retryAfterSeconds: 1 });
}
