import type { Database } from '../../platform/database.ts';
import { type DailyCounts, getUtcMidnightDaysBefore } from './analytics.rules.ts';
import { computeDailyCountsWithTimeout, findFirstUnstoredDay } from './daily-counts.repository.ts';

export interface UnstoredDailyCounts {
  firstUnstoredDay: Date;
  /** Counts from `firstUnstoredDay` to today; null if counting them would delay the response too long. */
  days: DailyCounts[] | null;
}

/** Days including today that are counted during a request; a job stores each day soon after its midnight. */
const MAX_LIVE_DAYS = 3;

/** Well below the statement timeout. */
const COUNT_TIMEOUT_MS = 3_000;

/** Count the days that no job has stored yet, unless they are many or take too long. */
export async function computeUnstoredDailyCounts(
  { transaction }: Pick<Database, 'transaction'>,
  now: Date,
  timeoutMs: number = COUNT_TIMEOUT_MS,
): Promise<UnstoredDailyCounts> {
  return transaction(async (tx) => {
    const firstUnstoredDay = (await findFirstUnstoredDay(tx)) ?? getUtcMidnightDaysBefore(now, 0);
    const isLong = firstUnstoredDay < getUtcMidnightDaysBefore(now, MAX_LIVE_DAYS - 1);
    return {
      firstUnstoredDay,
      days: isLong
        ? null
        : await computeDailyCountsWithTimeout(
            tx,
            firstUnstoredDay,
            getUtcMidnightDaysBefore(now, -1),
            timeoutMs,
          ),
    };
  });
}
