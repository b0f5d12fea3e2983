import { createFairLimiter } from '../../../shared/fair-limiter.ts';

/** Each request keeps up to 4 MB of items in memory; accounts take turns. */
export const limitBulkRequests = createFairLimiter({ concurrency: 2, maxQueued: 20, maxQueuedPerKey: 4 });
