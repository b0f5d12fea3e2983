import type { Database } from '../../platform/database.ts';
import { type DailyCounts, getUtcDayBefore } from './analytics.rules.ts';
import { countEventsByDayWithTimeout, findFirstUnstoredDay } from './daily-counts.repository.ts';

/** What of the days that are not kept yet was counted just now. */
export interface UnstoredDayCounts {
  /** The first day that is not kept. */
  firstUnstoredDay: Date;
  /** The counts from there up to today; null where that is too much to count while somebody waits. */
  days: DailyCounts[] | null;
}

/** Days with today up to which they are counted while somebody waits: a job keeps each soon after its midnight. */
const MAX_LIVE_DAYS = 3;

/** Milliseconds after which counting is given up; well below what a statement may take. */
const COUNT_TIMEOUT_MS = 3_000;

/** Counts the days that no job has counted yet, today among them; not where they are many or take too long. */
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
