import { getStartOfDay } from '../../shared/day-start.ts';
import { createValidationError } from '../../shared/errors.ts';

const HOUR_MS = 60 * 60 * 1000;

const DAY_OR_TIME_PATTERN =
  /^(\d{4}-\d{2}-\d{2})([T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i;

/**
 * The moment that one end of a range names: a date-time (RFC 3339) is itself, a bare date is the beginning of that day
 * in a time zone (IANA name). Throws VALIDATION_FAILED naming the field for what is neither.
 */
export function parseRangeEnd(field: string, text: string | undefined, timeZone: string): Date | undefined {
  if (text === undefined) return undefined;
  const [, day = '', time] = DAY_OR_TIME_PATTERN.exec(text) ?? [];
  const isDay = time === undefined;
  const moment = new Date(isDay ? `${day}T12:00:00Z` : text);
  const year = moment.getUTCFullYear();
  // Nothing can have been scanned beyond; a date-time may also name a second that does not exist.
  if (Number.isNaN(year) || year < 1970 || year > 2100 || !isValidDay(day)) {
    throw createValidationError({
      field,
      code: 'OUT_OF_RANGE',
      message: 'Must be a day or a date-time with its zone, between the years 1970 and 2100.',
    });
  }
  return isDay ? getStartOfDay(toInstantWithinDay(moment, text, timeZone), timeZone) : moment;
}

/** Whether there is such a day: a program would take the 30th of February for one in March. */
function isValidDay(day: string): boolean {
  const noon = new Date(`${day}T12:00:00Z`);
  return !Number.isNaN(noon.getTime()) && noon.toISOString().startsWith(day);
}

/** Noon in UTC lies within the same day of a time zone, unless the zone is twelve hours ahead or more. */
function toInstantWithinDay(noon: Date, day: string, timeZone: string): Date {
  const local = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return local.format(noon) === day ? noon : new Date(noon.getTime() - 12 * HOUR_MS);
}
