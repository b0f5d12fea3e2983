import { getUtcOffsetMs } from '../dashboard/day-start.rules.ts';

const DAY = 24 * 60 * 60 * 1000;

/** From this hour of the day on people are reminded. */
const MORNING = 8;

/** Month and day of every date (MM-DD) that is somewhere on the Earth at a moment, each with that of 29 February where a year has none. */
export function daysAnywhere(now: Date): string[] {
  const around = [-1, 0, 1].map((away) => new Date(now.getTime() + away * DAY).toISOString().slice(0, 10));
  return [...new Set(around.flatMap(daysToldOn))];
}

/**
 * The year in which an anniversary of a date (YYYY-MM-DD) is to be told at a moment by the clock of a time zone; null where
 * it is not. From eight in the morning on, to the end of the day; of 29 February on the 28th where the year has none.
 */
export function yearToTell(date: string, timeZone: string, now: Date): number | null {
  const local = new Date(now.getTime() + getUtcOffsetMs(now, timeZone));
  const today = local.toISOString().slice(0, 10);
  const year = local.getUTCFullYear();
  const isDue = local.getUTCHours() >= MORNING && daysToldOn(today).includes(date.slice(5));
  return isDue && year > Number(date.slice(0, 4)) ? year : null;
}

/** The days of birth and death, MM-DD, that are told on a day. */
function daysToldOn(day: string): string[] {
  const isLast = day.endsWith('-02-28') && new Date(Date.parse(day) + DAY).getUTCDate() === 1;
  return isLast ? ['02-28', '02-29'] : [day.slice(5)];
}
