/** A date as far as it is known, ISO 8601 with reduced precision: YYYY, YYYY-MM or YYYY-MM-DD. The Gregorian calendar has no year 0. */
export const PARTIAL_DATE_PATTERN = '^(?!0000)\\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\\d|3[01]))?)?$';

/** How many characters there are of a date of which year, month and day are known. */
const FULL_DATE_LENGTH = 10;

/** Whether a date of that form is one that the calendar has. */
export function isValidDate(date: string): boolean {
  if (date.length < FULL_DATE_LENGTH) return true;
  const at = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, FULL_DATE_LENGTH) === date;
}

/** Whether one date lies before another, as far as both are known: of 1931 and 1931-05 neither does. */
export function isDateBefore(one: string, other: string): boolean {
  const known = Math.min(one.length, other.length);
  return one.slice(0, known) < other.slice(0, known);
}
