import { getStartOfDay } from '../../shared/day-start.ts';
import { createValidationError } from '../../shared/errors.ts';

const HOUR_MS = 60 * 60 * 1000;

const DAY_OR_TIME_PATTERN =
  /^(\d{4}-\d{2}-\d{2})([T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i;

/** Parse a date-time (RFC 3339), or a date as the start of that day. @throws VALIDATION_FAILED */
export function parseRangeBound(field: string, text: string | undefined, timeZone: string): Date | undefined {
  if (text === undefined) return undefined;
  const [, day = '', time] = DAY_OR_TIME_PATTERN.exec(text) ?? [];
  const isDay = time === undefined;
  const moment = new Date(isDay ? `${day}T12:00:00Z` : text);
  const year = moment.getUTCFullYear();
  // Rejects years without scans and seconds that do not exist.
  if (Number.isNaN(year) || year < 1970 || year > 2100 || !isValidDay(day)) {
    throw createValidationError({
      field,
      code: 'OUT_OF_RANGE',
      message: 'Must be a date, or a date-time with offset, between the years 1970 and 2100.',
    });
  }
  return isDay ? getStartOfDay(toInstantWithinDay(moment, text, timeZone), timeZone) : moment;
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
