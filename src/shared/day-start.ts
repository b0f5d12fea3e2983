import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';

/** Get the start of a day in a time zone; within an hour where a clock change skips midnight. */
export function getStartOfDay(moment: Date, timeZone: string): Date {
  const local = moment.getTime() + getUtcOffsetMs(moment, timeZone);
  const midnight = Math.floor(local / DAY_MS) * DAY_MS;
  // The offset at midnight differs on days of clock changes.
  const approximateStart = new Date(midnight - getUtcOffsetMs(moment, timeZone));
  const start = new Date(midnight - getUtcOffsetMs(approximateStart, timeZone));
  // Where clocks go back to midnight there are two: the day begins with the first.
  const offsetBefore = getUtcOffsetMs(new Date(start.getTime() - 3 * HOUR_MS), timeZone);
  const first = new Date(midnight - offsetBefore);
  return first < start && getUtcOffsetMs(first, timeZone) === offsetBefore ? first : start;
}

export function getStartOfEarlierDay(moment: Date, days: number, timeZone: string): Date {
  const noon = getStartOfDay(moment, timeZone).getTime() + DAY_MS / 2;
  return getStartOfDay(new Date(noon - days * DAY_MS), timeZone);
}

export function formatDateInTimeZone(moment: Date, timeZone: string): string {
  return new Date(moment.getTime() + getUtcOffsetMs(moment, timeZone)).toISOString().slice(0, 10);
}

export function getUtcOffsetMs(moment: Date, timeZone: string): number {
  const [, sign, hours, minutes, seconds = 0] =
    UTC_OFFSET_PATTERN.exec(getFormatter(timeZone).format(moment)) ?? [];
  if (!sign) return 0;
  return (
    Number(`${sign}1`) * (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * 1000)
  );
}

/** GMT, GMT-05:00, or a historical GMT+00:53:28. */
const UTC_OFFSET_PATTERN = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

// Creating a formatter takes fifty times as long as using it.
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Each takes 40 kB, and clients can vary the case of a name. */
const MAX_FORMATTERS = 200;

function getFormatter(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  if (formatters.size >= MAX_FORMATTERS) formatters.clear();
  formatters.set(timeZone, clock);
  return clock;
}
