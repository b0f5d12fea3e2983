import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { Queue } from '../../platform/jobs.ts';
import { firstUncountedDay, keepDay } from './service-days.repository.ts';

/** The queue that counts the days that are over. */
export const COUNT_DAYS_QUEUE: Queue = {
  name: 'count-days',
  expireInSeconds: 120,
  retryLimit: 3,
  retryDelay: 60,
};

const DAY = 24 * 60 * 60 * 1000;

/** Milliseconds after midnight until what was begun before it has committed. */
const SETTLED = 10 * 60 * 1000;

/** Counts each finished UTC day once. What a kill leaves undone the next run goes on with. */
export function countDaysJob({ database }: { database: Database }): JobHandler {
  return async () => {
    const today = Math.floor((Date.now() - SETTLED) / DAY) * DAY;
    const first = await firstUncountedDay(database.client);
    if (!first) return;
    for (let day = first.getTime(); day < today; day += DAY) await keepDay(database.client, new Date(day));
  };
}
