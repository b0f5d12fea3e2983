import { getUtcOffsetMs } from '../../../shared/day-start.ts';
import { MINUTE_MS } from '../../../shared/durations.ts';

/** Format a timestamp for an input of the type datetime-local; what is none stays as it is. */
export function formatLocalTime(timestamp: string, timeZone: string): string {
  const moment = new Date(timestamp);
  const time = moment.getTime();
  if (!Number.isFinite(time)) return timestamp;
  const local = new Date(time + getUtcOffsetMs(moment, timeZone));
  return Number.isFinite(local.getTime()) ? local.toISOString().slice(0, 16) : timestamp;
}

/** Parse such an input; unchanged it has the offset of the stored timestamp, else that of the time zone at the time. */
export function parseLocalTime(local: string, stored: string | undefined, timeZone: string): string {
  if (stored !== undefined && formatLocalTime(stored, timeZone) === local) return stored;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/.test(local)) return local;
  const wallTime = Date.parse(`${local}Z`);
  if (!Number.isFinite(wallTime)) return local;
  // The offset at the time differs from that of UTC's on days of clock changes.
  const approximate = new Date(wallTime - getUtcOffsetMs(new Date(wallTime), timeZone));
  const offsetMinutes = Math.round(getUtcOffsetMs(approximate, timeZone) / MINUTE_MS);
  const absolute = Math.abs(offsetMinutes);
  const hours = String(Math.floor(absolute / 60)).padStart(2, '0');
  const minutes = String(absolute % 60).padStart(2, '0');
  const seconds = local.length === 16 ? ':00' : '';
  return `${local}${seconds}${offsetMinutes < 0 ? '-' : '+'}${hours}:${minutes}`;
}
