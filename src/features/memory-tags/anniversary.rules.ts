import { getUtcOffsetMs } from '../../shared/day-start.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** From this hour of the day on people are reminded. */
const REMINDER_START_HOUR = 8;

/** Month and day of every date (MM-DD) that is somewhere on the Earth at a moment, each with that of 29 February where a year has none. */
export function listMonthDaysWorldwide(now: Date): string[] {
  const around = [-1, 0, 1].map((dayOffset) =>
    new Date(now.getTime() + dayOffset * DAY_MS).toISOString().slice(0, 10),
  );
  return [...new Set(around.flatMap(listObservedMonthDays))];
}

/**
 * The year in which an anniversary of a date (YYYY-MM-DD) is to be told at a moment by the clock of a time zone; null where
 * it is not. From eight in the morning on, to the end of the day; of 29 February on the 28th where the year has none.
 */
export function findDueAnniversaryYear(date: string, timeZone: string, now: Date): number | null {
  const local = new Date(now.getTime() + getUtcOffsetMs(now, timeZone));
  const today = local.toISOString().slice(0, 10);
  const year = local.getUTCFullYear();
  const isDue =
    local.getUTCHours() >= REMINDER_START_HOUR && listObservedMonthDays(today).includes(date.slice(5));
  return isDue && year > Number(date.slice(0, 4)) ? year : null;
}

/** The days of birth and death, MM-DD, that are told on a day. */
function listObservedMonthDays(day: string): string[] {
  const isLast = day.endsWith('-02-28') && new Date(Date.parse(day) + DAY_MS).getUTCDate() === 1;
  return isLast ? ['02-28', '02-29'] : [day.slice(5)];
}
