const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The moment at which the day of a moment began in a time zone (IANA name). Where a change of clocks leaves
 * out midnight, the moment lies within an hour of it.
 */
export function startOfDay(moment: Date, timeZone: string): Date {
  const local = moment.getTime() + offsetAt(moment, timeZone);
  const midnight = Math.floor(local / DAY) * DAY;
  // The offset at midnight can be another than now: on the days on which clocks change.
  const nearly = new Date(midnight - offsetAt(moment, timeZone));
  const start = new Date(midnight - offsetAt(nearly, timeZone));
  // Where clocks go back to midnight there are two: the day begins with the first.
  const offsetBefore = offsetAt(new Date(start.getTime() - 3 * HOUR), timeZone);
  const first = new Date(midnight - offsetBefore);
  return first < start && offsetAt(first, timeZone) === offsetBefore ? first : start;
}

/** The beginning of the day `days` before the day of a moment, in a time zone (IANA name). */
export function startOfDayBefore(moment: Date, days: number, timeZone: string): Date {
  const noon = startOfDay(moment, timeZone).getTime() + DAY / 2;
  return startOfDay(new Date(noon - days * DAY), timeZone);
}

/** The date of a moment in a time zone (IANA name): YYYY-MM-DD. */
export function localDay(moment: Date, timeZone: string): string {
  return new Date(moment.getTime() + offsetAt(moment, timeZone)).toISOString().slice(0, 10);
}

/** What local time is ahead of UTC at a moment, in milliseconds. */
export function offsetAt(moment: Date, timeZone: string): number {
  const [, sign, hours, minutes, seconds = 0] = OFFSET.exec(clockOf(timeZone).format(moment)) ?? [];
  // In UTC itself nothing follows the name.
  if (!sign) return 0;
  return Number(`${sign}1`) * (Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * 1000);
}

/** The end of a formatted moment: GMT, GMT-05:00, or GMT+00:53:28 of long ago. */
const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

// Making a formatter takes fifty times as long as using it.
const clocks = new Map<string, Intl.DateTimeFormat>();

/** More are not kept: each takes 40 kB, and a client may write a name in small and large letters. */
const MOST_CLOCKS = 200;

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  if (clocks.size >= MOST_CLOCKS) clocks.clear();
  clocks.set(timeZone, clock);
  return clock;
}
