const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * The moment at which the day of a moment began in a time zone (IANA name). Where a change of clocks leaves
 * out midnight, the moment lies within an hour of it.
 */
export function getStartOfDay(moment: Date, timeZone: string): Date {
  const local = moment.getTime() + getUtcOffsetMs(moment, timeZone);
  const midnight = Math.floor(local / DAY_MS) * DAY_MS;
  // The offset at midnight can be another than now: on the days on which clocks change.
  const nearly = new Date(midnight - getUtcOffsetMs(moment, timeZone));
  const start = new Date(midnight - getUtcOffsetMs(nearly, timeZone));
  // Where clocks go back to midnight there are two: the day begins with the first.
  const offsetBefore = getUtcOffsetMs(new Date(start.getTime() - 3 * HOUR_MS), timeZone);
  const first = new Date(midnight - offsetBefore);
  return first < start && getUtcOffsetMs(first, timeZone) === offsetBefore ? first : start;
}

/** The beginning of the day `days` before the day of a moment, in a time zone (IANA name). */
export function getStartOfDayBefore(moment: Date, days: number, timeZone: string): Date {
  const noon = getStartOfDay(moment, timeZone).getTime() + DAY_MS / 2;
  return getStartOfDay(new Date(noon - days * DAY_MS), timeZone);
}

/** The date of a moment in a time zone (IANA name): YYYY-MM-DD. */
export function formatLocalDate(moment: Date, timeZone: string): string {
  return new Date(moment.getTime() + getUtcOffsetMs(moment, timeZone)).toISOString().slice(0, 10);
}

/** What local time is ahead of UTC at a moment, in milliseconds. */
export function getUtcOffsetMs(moment: Date, timeZone: string): number {
  const [, sign, hours, minutes, seconds = 0] =
    UTC_OFFSET_PATTERN.exec(getFormatter(timeZone).format(moment)) ?? [];
  // In UTC itself nothing follows the name.
  if (!sign) return 0;
  return (
    Number(`${sign}1`) * (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * 1000)
  );
}

/** The end of a formatted moment: GMT, GMT-05:00, or GMT+00:53:28 of long ago. */
const UTC_OFFSET_PATTERN = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

// Making a formatter takes fifty times as long as using it.
const formatters = new Map<string, Intl.DateTimeFormat>();

/** More are not kept: each takes 40 kB, and a client may write a name in small and large letters. */
const MAX_FORMATTERS = 200;

function getFormatter(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  if (formatters.size >= MAX_FORMATTERS) formatters.clear();
  formatters.set(timeZone, clock);
  return clock;
}
