import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { findFirstUnstoredDay, insertDailyCounts } from './daily-counts.repository.ts';

/** The queue that counts the days that are over. */
export const DAILY_COUNTS_QUEUE: JobQueueDefinition = {
  name: 'count-days',
  expireInSeconds: 120,
  retryLimit: 3,
  retryDelay: 60,
};

const DAY_MS = 24 * 60 * 60 * 1000;

/** Milliseconds after midnight until what was begun before it has committed. */
const SETTLING_TIME_MS = 10 * 60 * 1000;

/** Counts each finished UTC day once. What a kill leaves undone the next run goes on with. */
export function createDailyCountsJob({ database }: { database: Database }): JobHandler {
  return async () => {
    const today = Math.floor((Date.now() - SETTLING_TIME_MS) / DAY_MS) * DAY_MS;
    const first = await findFirstUnstoredDay(database.client);
    if (!first) return;
    for (let day = first.getTime(); day < today; day += DAY_MS)
      await insertDailyCounts(database.client, new Date(day));
  };
}
