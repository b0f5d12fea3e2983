import { getStartOfDay } from './day-start.ts';
import { HOUR_MS } from './durations.ts';

const DAY_OR_TIME_PATTERN =
  /^(\d{4}-\d{2}-\d{2})([T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i;

/** Check for a date-time (RFC 3339) or a date, in a year with scans and without seconds that do not exist. */
export function isTimeRangeBound(text: string): boolean {
  const [, day = '', time] = DAY_OR_TIME_PATTERN.exec(text) ?? [];
  const year = new Date(time === undefined ? day : text).getUTCFullYear();
  return year >= 1970 && year <= 2100 && isValidDay(day);
}

/** Parse text of the format `date-or-date-time`; a date is the start of that day. */
export function parseTimeRangeBound(text: string | undefined, timeZone: string): Date | undefined {
  if (text === undefined) return undefined;
  const isDay = DAY_OR_TIME_PATTERN.exec(text)?.[2] === undefined;
  if (!isDay) return new Date(text);
  return getStartOfDay(toInstantWithinDay(new Date(`${text}T12:00:00Z`), text, timeZone), timeZone);
}

/** Date would turn February 30 into a day of March. */
function isValidDay(day: string): boolean {
  const noon = new Date(`${day}T12:00:00Z`);
  return !Number.isNaN(noon.getTime()) && noon.toISOString().startsWith(day);
}

/** Noon UTC is on the same day in all zones except those 12 hours or more ahead. */
function toInstantWithinDay(noon: Date, day: string, timeZone: string): Date {
  const local = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return local.format(noon) === day ? noon : new Date(noon.getTime() - 12 * HOUR_MS);
}
