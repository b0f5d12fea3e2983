import { createLimiter, type Limiter } from '../../shared/limiter.ts';

/** Scans written at the same time: fewer than the pool has connections, so that a rush leaves some to the others. */
const AT_ONCE = 4;

/** Scans that may wait; at a few milliseconds each nobody waits for long. */
const WAITING = 500;

/**
 * The line in front of the database for scans of one process that need a transaction of their own: a rush waits here
 * and not for a connection, which would be refused after a while. Throws BUSY when too many wait.
 */
export function createScanQueue(): Limiter {
  return createLimiter(AT_ONCE, { waiting: WAITING, retryAfterSeconds: 1 });
}
