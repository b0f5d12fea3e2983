import type { Database } from '../../platform/database.ts';
import { type DayCounts, dayBefore } from './analytics.rules.ts';
import { countDaysWithin, firstUncountedDay } from './service-days.repository.ts';

/** What of the days that are not kept yet was counted just now. */
export interface RunningDays {
  /** The first day that is not kept. */
  from: Date;
  /** The counts from there up to today; null where that is too much to count while somebody waits. */
  days: DayCounts[] | null;
}

/** Days with today up to which they are counted while somebody waits: a job keeps each soon after its midnight. */
const MOST_DAYS = 3;

/** Milliseconds after which counting is given up; well below what a statement may take. */
const PATIENCE = 3_000;

/** Counts the days that no job has counted yet, today among them; not where they are many or take too long. */
export async function countRunningDays(
  { transaction }: Pick<Database, 'transaction'>,
  now: Date,
  patience: number = PATIENCE,
): Promise<RunningDays> {
  return transaction(async (tx) => {
    const from = (await firstUncountedDay(tx)) ?? dayBefore(now, 0);
    const isLong = from < dayBefore(now, MOST_DAYS - 1);
    return { from, days: isLong ? null : await countDaysWithin(tx, from, dayBefore(now, -1), patience) };
  });
}
