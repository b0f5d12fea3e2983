import { DAY_MS } from '../../../shared/durations.ts';
import { parseTimeRangeBound } from '../../../shared/time-range.ts';
import { parseDay } from './code-list-filters.ts';

/** Get the midnight after a day, in the time zone of its reader: when a code ends whose last day it is. Null for no day. */
export function getEndOfDay(text: string, timeZone: string): Date | null {
  const day = parseDay(text);
  const nextDay = day && parseDay(new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10));
  return parseTimeRangeBound(nextDay, timeZone) ?? null;
}
