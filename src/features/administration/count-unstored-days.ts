import type { Database } from '../../platform/database.ts';
import { type DailyCounts, getUtcDayBefore } from './analytics.rules.ts';
import { countEventsByDayWithTimeout, findFirstUnstoredDay } from './daily-counts.repository.ts';

export interface UnstoredDayCounts {
  firstUnstoredDay: Date;
  /** Counts from `firstUnstoredDay` to today; null if counting them would delay the response too long. */
  days: DailyCounts[] | null;
}

/** Days including today that are counted during a request; a job stores each day soon after its midnight. */
const MAX_LIVE_DAYS = 3;

/** Well below the statement timeout. */
const COUNT_TIMEOUT_MS = 3_000;

/** Count the days that no job has stored yet, unless they are many or take too long. */
export async function countUnstoredDays(
  { transaction }: Pick<Database, 'transaction'>,
  now: Date,
  timeoutMs: number = COUNT_TIMEOUT_MS,
): Promise<UnstoredDayCounts> {
  return transaction(async (tx) => {
    const firstUnstoredDay = (await findFirstUnstoredDay(tx)) ?? getUtcDayBefore(now, 0);
    const isLong = firstUnstoredDay < getUtcDayBefore(now, MAX_LIVE_DAYS - 1);
    return {
      firstUnstoredDay,
      days: isLong
        ? null
        : await countEventsByDayWithTimeout(tx, firstUnstoredDay, getUtcDayBefore(now, -1), timeoutMs),
    };
  });
}
