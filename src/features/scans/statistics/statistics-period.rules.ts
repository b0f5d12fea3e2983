import { getStartOfDay, getStartOfEarlierDay } from '../../../shared/day-start.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.ts';
import { collectFieldErrors, createValidationError, type FieldError } from '../../../shared/errors.ts';
import { getMinIdAt } from '../../../shared/ids.ts';
import { parseTimeRangeBound } from '../../../shared/time-range.ts';

/** On 15-minute buckets; the end is exclusive. */
export interface ScanStatisticsPeriod {
  subject: { type: 'QRCODE' | 'OWNER'; id: string };
  from: Date;
  to: Date;
  /** Bounds of scan ids; the last is exclusive. */
  firstId: string;
  beyondId: string;
}

export type ScanStatisticsInterval = 'hour' | 'day' | 'week' | 'month';

const QUARTER_HOUR_MS = 15 * MINUTE_MS;

const DEFAULT_PERIOD_DAYS = 30;

const MAX_PERIOD_DAYS: Record<ScanStatisticsInterval, number> = {
  hour: 45,
  day: 1_100,
  week: 3_700,
  month: 3_700,
};

export interface ScanStatisticsPeriodInput {
  from?: string | undefined;
  to?: string | undefined;
  interval: ScanStatisticsInterval;
}

/** Find the errors of a period whose time zone and interval are known. */
export function findStatisticsPeriodErrors(
  { from, to, timeZone, interval = 'day' }: Partial<ScanStatisticsPeriodInput> & { timeZone?: string },
  ownTimeZone: string,
): FieldError[] {
  const subject = { type: 'OWNER', id: '' } as const;
  return collectFieldErrors(() =>
    parseStatisticsPeriods({ from, to, interval }, subject, timeZone ?? ownTimeZone, new Date()),
  );
}

/**
 * Calendar days are kept across clock changes.
 * @throws VALIDATION_FAILED for ends off 15-minute buckets, in the wrong order or too far apart
 */
export function parseStatisticsPeriods(
  input: ScanStatisticsPeriodInput,
  subject: ScanStatisticsPeriod['subject'],
  timeZone: string,
  now: Date,
): { period: ScanStatisticsPeriod; before: ScanStatisticsPeriod } {
  const to =
    parseTimeRangeBound(input.to, timeZone) ??
    getStartOfDay(new Date(getStartOfDay(now, timeZone).getTime() + 36 * HOUR_MS), timeZone);
  const from =
    parseTimeRangeBound(input.from, timeZone) ??
    getStartOfEarlierDay(new Date(to.getTime() - 1), DEFAULT_PERIOD_DAYS - 1, timeZone);
  const offBucket = Object.entries({ from, to }).filter(
    ([, moment]) => moment.getTime() % QUARTER_HOUR_MS !== 0,
  );
  const message = 'Must be a date, or a date-time on a quarter of an hour.';
  if (offBucket.length > 0)
    throw createValidationError(...offBucket.map(([field]) => ({ field, code: 'NOT_ALLOWED', message })));
  if (from >= to)
    throw createValidationError({ field: 'to', code: 'OUT_OF_RANGE', message: 'Must be later than from.' });
  const maxDays = MAX_PERIOD_DAYS[input.interval];
  if (to.getTime() - from.getTime() > maxDays * DAY_MS) {
    const message = `At most ${maxDays} days by ${input.interval}.`;
    throw createValidationError({ field: 'from', code: 'OUT_OF_RANGE', message });
  }
  return {
    period: createPeriod(subject, from, to),
    before: createPeriod(subject, getPreviousStart(from, to, timeZone), from),
  };
}

/** Both are the end of the period where no whole UTC day is within it. */
export function findWholeUtcDays({ from, to }: Pick<ScanStatisticsPeriod, 'from' | 'to'>): {
  firstDay: Date;
  beyondLastDay: Date;
} {
  const firstDay = new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS);
  const beyondLastDay = new Date(Math.floor(to.getTime() / DAY_MS) * DAY_MS);
  return firstDay < beyondLastDay ? { firstDay, beyondLastDay } : { firstDay: to, beyondLastDay: to };
}

/** Cut a period to its last days. */
export function limitStatisticsPeriod(
  { subject, from, to }: ScanStatisticsPeriod,
  maxDays: number,
  timeZone: string,
): ScanStatisticsPeriod {
  const start = getStartOfEarlierDay(new Date(to.getTime() - 1), maxDays - 1, timeZone);
  return createPeriod(subject, from > start ? from : start, to);
}

function getPreviousStart(from: Date, to: Date, timeZone: string): Date {
  const isMidnight = (moment: Date) => getStartOfDay(moment, timeZone).getTime() === moment.getTime();
  if (!isMidnight(from) || !isMidnight(to)) return new Date(from.getTime() - (to.getTime() - from.getTime()));
  const days = Math.round((to.getTime() - from.getTime()) / DAY_MS);
  return getStartOfEarlierDay(from, days, timeZone);
}

function createPeriod(subject: ScanStatisticsPeriod['subject'], from: Date, to: Date): ScanStatisticsPeriod {
  return { subject, from, to, firstId: getMinIdAt(from), beyondId: getMinIdAt(to) };
}
