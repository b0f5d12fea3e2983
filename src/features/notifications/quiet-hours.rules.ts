import { getUtcOffsetMs } from '../../shared/day-start.ts';
import { DAY_MS, MINUTE_MS } from '../../shared/durations.ts';
import type { QuietHours } from './settings.rules.ts';

/** `until` is exclusive. */
export interface TimeRange {
  since: Date;
  until: Date;
}

/**
 * Find the quiet hours around a moment in a time zone (IANA name). They may span midnight. If daylight saving time skips
 * their end, they end an hour later.
 */
export function findQuietHoursAt(quiet: QuietHours | null, timeZone: string, moment: Date): TimeRange | null {
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

export function postponeToQuietHoursEnd(quiet: QuietHours | null, timeZone: string, moment: Date): Date {
  return findQuietHoursAt(quiet, timeZone, moment)?.until ?? moment;
}

/** Return the next moment with this time of day (minutes after midnight) in a time zone. */
export function getNextInstantAtTimeOfDay(minutes: number, timeZone: string, moment: Date): Date {
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

// If a clock change skips or repeats the local time, the first acceptable moment is used.
function toInstantAfter(
  clock: number,
  timeZone: string,
  after: Date,
  isExcluded: (at: Date) => boolean,
): Date {
  const around = [-DAY_MS, 0, DAY_MS].map((dayOffset) =>
    getUtcOffsetMs(new Date(clock + dayOffset), timeZone),
  );
  const moments = around.map((offset) => clock - offset).sort((one, other) => one - other);
  const [latest] = moments.slice(-1);
  const first = moments.find((at) => at > after.getTime() && !isExcluded(new Date(at)));
  return new Date(first ?? Math.max(latest ?? clock, after.getTime() + MINUTE_MS));
}

function parseMinutes(clock: string): number {
  const [hours, minutes] = clock.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}
