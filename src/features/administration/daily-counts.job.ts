import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { computeAndStoreDailyCounts, findFirstUnstoredDay } from './daily-counts.repository.ts';

export const DAILY_COUNTS_QUEUE: JobQueueDefinition = {
  name: 'count-days',
  expireInSeconds: 120,
  retryLimit: 3,
  retryDelay: 60,
};

/** Time after midnight for transactions that began before it to commit. */
const SETTLING_TIME_MS = 10 * 60 * 1000;

/** Create the job that counts each finished UTC day once; an interrupted run is continued by the next. */
export function createDailyCountsJob({ database }: { database: Database }): JobHandler {
  return async () => {
    const today = Math.floor((Date.now() - SETTLING_TIME_MS) / DAY_MS) * DAY_MS;
    const first = await findFirstUnstoredDay(database.client);
    if (!first) return;
    for (let day = first.getTime(); day < today; day += DAY_MS)
      await computeAndStoreDailyCounts(database.client, new Date(day));
  };
}
