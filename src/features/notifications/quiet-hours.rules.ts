import { getUtcOffsetMs } from '../../shared/day-start.ts';
import type { QuietHours } from './settings.rules.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** From one moment to another, the second not within it. */
export interface TimeSpan {
  since: Date;
  until: Date;
}

/**
 * The quiet hours that a moment is in, in a time zone (IANA name); null where it is in none. They go past midnight where
 * they end before they begin, and follow the clock where it changes: an end that is left out comes an hour later.
 */
export function findQuietSpan(quiet: QuietHours | null, timeZone: string, moment: Date): TimeSpan | null {
  if (!quiet || !isQuiet(quiet, timeZone, moment)) return null;
  const [from, to] = [parseMinutes(quiet.from), parseMinutes(quiet.to)];
  const local = moment.getTime() + getUtcOffsetMs(moment, timeZone);
  const midnight = Math.floor(local / DAY_MS) * DAY_MS;
  const now = (local - midnight) / MINUTE_MS;
  const began = midnight + from * MINUTE_MS - (now < from ? DAY_MS : 0);
  const ends = midnight + to * MINUTE_MS + (now < to ? 0 : DAY_MS);
  return {
    since: new Date(began - getUtcOffsetMs(moment, timeZone)),
    until: toInstantAfter(ends, timeZone, moment, (at) => isQuiet(quiet, timeZone, at)),
  };
}

/** A moment, or the end of the quiet hours that it is in. */
export function postponeToQuietEnd(quiet: QuietHours | null, timeZone: string, moment: Date): Date {
  return findQuietSpan(quiet, timeZone, moment)?.until ?? moment;
}

/** The first moment after this one at which it is so many minutes past midnight in a time zone. */
export function getNextTimeOfDay(minutes: number, timeZone: string, moment: Date): Date {
  const local = moment.getTime() + getUtcOffsetMs(moment, timeZone);
  const today = Math.floor(local / DAY_MS) * DAY_MS + minutes * MINUTE_MS;
  return toInstantAfter(today > local ? today : today + DAY_MS, timeZone, moment, () => false);
}

function isQuiet({ from, to }: QuietHours, timeZone: string, moment: Date): boolean {
  const local = moment.getTime() + getUtcOffsetMs(moment, timeZone);
  const now = (local - Math.floor(local / DAY_MS) * DAY_MS) / MINUTE_MS;
  const [begin, end] = [parseMinutes(from), parseMinutes(to)];
  return begin < end ? begin <= now && now < end : begin <= now || now < end;
}

/** The moment of a time by the clock after another moment; where a change of clocks has it twice or not at all, the first that will do. */
function toInstantAfter(
  clock: number,
  timeZone: string,
  after: Date,
  isRefused: (at: Date) => boolean,
): Date {
  const around = [-DAY_MS, 0, DAY_MS].map((dayOffset) =>
    getUtcOffsetMs(new Date(clock + dayOffset), timeZone),
  );
  const moments = around.map((offset) => clock - offset).sort((one, other) => one - other);
  const [latest] = moments.slice(-1);
  const first = moments.find((at) => at > after.getTime() && !isRefused(new Date(at)));
  return new Date(first ?? Math.max(latest ?? clock, after.getTime() + MINUTE_MS));
}

function parseMinutes(clock: string): number {
  const [hours, minutes] = clock.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}
