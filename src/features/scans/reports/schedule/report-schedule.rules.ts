import { formatDateInTimeZone, getUtcOffsetMs } from '../../../../shared/day-start.ts';
import { DAY_MS, HOUR_MS } from '../../../../shared/durations.ts';

export const REPORT_FREQUENCIES = ['WEEKLY', 'MONTHLY'] as const;

export type ReportFrequency = (typeof REPORT_FREQUENCIES)[number];

export interface ReportScheduleTime {
  frequency: ReportFrequency;
  /** 0 to 23, in the time zone of the user. */
  hour: number;
}

/** Return the next Monday or first of a month at this hour, after a moment. */
export function getNextReportTime(
  { frequency, hour }: ReportScheduleTime,
  timeZone: string,
  after: Date,
): Date {
  const start = getPeriodStart(frequency, timeZone, after);
  const current = toInstant(start + hour * HOUR_MS, timeZone);
  return current > after ? current : toInstant(shiftStart(frequency, start, 1) + hour * HOUR_MS, timeZone);
}

/** The last week or month that is over, as dates in the time zone; `to` is exclusive. */
export function getReportPeriod(
  frequency: ReportFrequency,
  timeZone: string,
  now: Date,
): { from: string; to: string } {
  const to = getPeriodStart(frequency, timeZone, now);
  return { from: toDate(shiftStart(frequency, to, -1)), to: toDate(to) };
}

/** The period whose first day after it is `to`. */
export function getReportPeriodBefore(frequency: ReportFrequency, to: string): { from: string; to: string } {
  return { from: toDate(shiftStart(frequency, Date.parse(`${to}T00:00:00Z`), -1)), to };
}

/** Local midnight of the Monday or first of the month, as if it were UTC. */
function getPeriodStart(frequency: ReportFrequency, timeZone: string, moment: Date): number {
  const today = new Date(`${formatDateInTimeZone(moment, timeZone)}T00:00:00Z`);
  return frequency === 'WEEKLY'
    ? today.getTime() - ((today.getUTCDay() + 6) % 7) * DAY_MS
    : Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1);
}

function shiftStart(frequency: ReportFrequency, start: number, count: number): number {
  const date = new Date(start);
  return frequency === 'WEEKLY'
    ? start + count * 7 * DAY_MS
    : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1);
}

/** Where a clock change skips or repeats the local time, the first moment that is not earlier. */
function toInstant(local: number, timeZone: string): Date {
  const moments = [-DAY_MS, DAY_MS]
    .map((distance) => local - getUtcOffsetMs(new Date(local + distance), timeZone))
    .sort((one, other) => one - other);
  const exact = moments.find((at) => at + getUtcOffsetMs(new Date(at), timeZone) === local);
  return new Date(exact ?? Math.max(...moments));
}

function toDate(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}
