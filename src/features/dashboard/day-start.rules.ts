const HOUR = 60 * 60 * 1000;
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

/** What local time is ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((candidate) => candidate.type === type)?.value);
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return local - Math.floor(moment.getTime() / 1000) * 1000;
}
