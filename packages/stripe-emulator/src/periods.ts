import type { IntervalName } from './sales-objects.ts';

/** Add intervals; a shorter month ends on its last day. */
export function addIntervals(from: number, interval: IntervalName, count: number): number {
  const date = new Date(from * 1000);
  if (interval === 'day') return from + count * 86_400;
  if (interval === 'week') return from + count * 7 * 86_400;
  const months = interval === 'year' ? count * 12 : count;
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return Math.floor(date.getTime() / 1000);
}

/** Compute the period end after a moment from the anchor, so that the 31st returns after February. */
export function computePeriodEnd(
  anchor: number,
  after: number,
  interval: IntervalName,
  count: number,
): number {
  let periods = 1;
  let end = addIntervals(anchor, interval, count);
  while (end <= after) {
    periods += 1;
    end = addIntervals(anchor, interval, count * periods);
  }
  return end;
}
