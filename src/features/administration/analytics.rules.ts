import { DAY_MS } from '../../shared/durations.ts';

export interface DailyCounts {
  /** Midnight, UTC. */
  day: Date;
  users: number;
  qrCodes: number;
  scans: number;
  humans: number;
  uniques: number;
}

/** `unique` is the sum of the unique visitors of each day. */
export interface ServiceScanCounts {
  total: number;
  humans: number;
  unique: number;
}

export function getUtcMidnightDaysBefore(now: Date, days: number): Date {
  return new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - days * DAY_MS);
}

/** List every day of a range (inclusive, midnights), oldest first, with zeros for days without a count. */
export function fillMissingDailyCounts(counted: readonly DailyCounts[], from: Date, to: Date): DailyCounts[] {
  const countsByDay = new Map(counted.map((day) => [day.day.getTime(), day]));
  const days: DailyCounts[] = [];
  for (let at = from.getTime(); at <= to.getTime(); at += DAY_MS) {
    days.push(
      countsByDay.get(at) ?? { day: new Date(at), users: 0, qrCodes: 0, scans: 0, humans: 0, uniques: 0 },
    );
  }
  return days;
}

export function sumDailyScanCounts(days: readonly DailyCounts[]): ServiceScanCounts {
  return {
    total: sumDailyCountField(days, 'scans'),
    humans: sumDailyCountField(days, 'humans'),
    unique: sumDailyCountField(days, 'uniques'),
  };
}

export function sumDailyCountField(
  days: readonly DailyCounts[],
  name: Exclude<keyof DailyCounts, 'day'>,
): number {
  return days.reduce((sum, day) => sum + day[name], 0);
}
