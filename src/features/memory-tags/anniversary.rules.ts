import { getUtcOffsetMs } from '../../shared/day-start.ts';
import { DAY_MS } from '../../shared/durations.ts';

/** Local time. */
const REMINDER_START_HOUR = 8;

/** List the month-days (MM-DD) of every current local date on Earth. 29 February counts as the 28th in common years. */
export function listCurrentMonthDaysWorldwide(now: Date): string[] {
  const around = [-1, 0, 1].map((dayOffset) =>
    new Date(now.getTime() + dayOffset * DAY_MS).toISOString().slice(0, 10),
  );
  return [...new Set(around.flatMap(listObservedMonthDays))];
}

/** Return the year of an anniversary that is due at a moment: from 8:00 local time to the end of the day, otherwise null. */
export function findDueAnniversaryYear(date: string, timeZone: string, now: Date): number | null {
  const local = new Date(now.getTime() + getUtcOffsetMs(now, timeZone));
  const today = local.toISOString().slice(0, 10);
  const year = local.getUTCFullYear();
  const isDue =
    local.getUTCHours() >= REMINDER_START_HOUR && listObservedMonthDays(today).includes(date.slice(5));
  return isDue && year > Number(date.slice(0, 4)) ? year : null;
}

function listObservedMonthDays(day: string): string[] {
  const isLast = day.endsWith('-02-28') && new Date(Date.parse(day) + DAY_MS).getUTCDate() === 1;
  return isLast ? ['02-28', '02-29'] : [day.slice(5)];
}
