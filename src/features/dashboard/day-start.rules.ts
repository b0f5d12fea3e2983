const DAY = 24 * 60 * 60 * 1000;

/**
 * The moment at which the day of a moment began in a time zone (IANA name). Where a change of clocks leaves
 * out midnight, the moment lies within an hour of it.
 */
export function startOfDay(moment: Date, timeZone: string): Date {
  const local = moment.getTime() + offsetAt(moment, timeZone);
  const midnight = Math.floor(local / DAY) * DAY;
  // The offset at midnight can be another than now: on the days on which clocks change.
  const nearly = new Date(midnight - offsetAt(moment, timeZone));
  return new Date(midnight - offsetAt(nearly, timeZone));
}

/** The beginning of the day `days` before the day of a moment, in a time zone (IANA name). */
export function startOfDayBefore(moment: Date, days: number, timeZone: string): Date {
  const noon = startOfDay(moment, timeZone).getTime() + DAY / 2;
  return startOfDay(new Date(noon - days * DAY), timeZone);
}

/** What local time is ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: Date, timeZone: string): number {
  const parts = clockOf(timeZone).formatToParts(moment);
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

// Making a formatter takes thirty times as long as using it.
const clocks = new Map<string, Intl.DateTimeFormat>();

/** More are not kept: each takes 40 kB, and a client may write a name in small and large letters. */
const MOST_CLOCKS = 200;

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (clocks.size >= MOST_CLOCKS) clocks.clear();
  clocks.set(timeZone, clock);
  return clock;
}
