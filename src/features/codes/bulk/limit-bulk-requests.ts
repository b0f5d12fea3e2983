import { createFairLimiter } from '../../../shared/fair-limiter.ts';

/** Each request keeps up to 4 MB of items in memory. */
const limiter = createFairLimiter({ concurrency: 2, maxQueued: 20, maxQueuedPerKey: 4 });

/** The hash of a PIN takes as long as storing so many codes. */
const PIN_COST = 50;

/** Run a bulk request; accounts take turns. @throws RATE_LIMITED, BUSY */
export function limitBulkRequests<Result>(
  accountId: string,
  items: readonly unknown[],
  run: () => Promise<Result>,
): Promise<Result> {
  const pins = items.filter((item) => Object(item).pin).length;
  return limiter(accountId, run, items.length + pins * PIN_COST);
}
