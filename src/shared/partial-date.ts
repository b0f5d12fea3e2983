/** ISO 8601 with reduced precision: YYYY, YYYY-MM or YYYY-MM-DD. The Gregorian calendar has no year 0. */
export const PARTIAL_DATE_PATTERN =
  '^(\\d{3}[1-9]|\\d\\d[1-9]0|\\d[1-9]00|[1-9]000)(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\\d|3[01]))?)?$';

const PARTIAL_DATE = new RegExp(PARTIAL_DATE_PATTERN);

const FULL_DATE_LENGTH = 10;

export function isPartialDate(text: string): boolean {
  return PARTIAL_DATE.test(text) && isValidPartialDate(text);
}

/** Check that a date of this pattern exists in the calendar. */
export function isValidPartialDate(date: string): boolean {
  if (date.length < FULL_DATE_LENGTH) return true;
  const at = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, FULL_DATE_LENGTH) === date;
}

/** Compare two dates at the precision known for both: neither of 1931 and 1931-05 is before the other. */
export function isPartialDateBefore(one: string, other: string): boolean {
  const known = Math.min(one.length, other.length);
  return one.slice(0, known) < other.slice(0, known);
}
