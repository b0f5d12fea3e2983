import { DAY_MS, MINUTE_MS } from '../../../shared/durations.ts';

/** Pages within it are one visit. */
const VISIT_PAUSE_MS = 30 * MINUTE_MS;
const FIRST_VISIT_MS = 7 * DAY_MS;
const MAX_PAUSE_MS = 30 * DAY_MS;

export interface Visit {
  /** When the visit before this one ended; a week ago where none is known, a month ago at most. */
  since: Date;
  /** For the next page: account, end of the visit before, and now. */
  cookie: string;
}

/** Compute what is new since the last visit from the cookie of the page before. */
export function computeVisit(cookie: string | undefined, accountId: string, now: Date): Visit {
  const at = now.getTime();
  const [id, before, last] = (cookie ?? '').split('.');
  const [beforeAt, lastAt] = [parseTime(before), parseTime(last)];
  const isKnown = id === accountId && beforeAt <= lastAt && lastAt <= at;
  const end = at - lastAt > VISIT_PAUSE_MS ? lastAt : beforeAt;
  const since = isKnown ? Math.max(end, at - MAX_PAUSE_MS) : at - FIRST_VISIT_MS;
  return { since: new Date(since), cookie: `${accountId}.${since}.${at}` };
}

function parseTime(text = ''): number {
  return /^\d{13}$/.test(text) ? Number(text) : Number.NaN;
}
