import { HOUR_MS } from '../../shared/durations.ts';
import {
  findQuietHoursAt,
  getNextInstantAtTimeOfDay,
  postponeToQuietHoursEnd,
  type TimeRange,
} from './quiet-hours.rules.ts';
import type { RecipientSettings } from './settings.rules.ts';

/** Minute of the day in the user's time zone. */
const DAILY_DIGEST_MINUTE = 8 * 60;

/** Return the time of the digest for a moment, or of the next one if that has passed. */
export function getDigestTime(settings: RecipientSettings, at: Date, now: Date): Date {
  const { digest, quietHours, timeZone } = settings;
  const getWindowEnd = (moment: Date) =>
    digest === 'DAILY'
      ? getNextInstantAtTimeOfDay(DAILY_DIGEST_MINUTE, timeZone, moment)
      : getDigestWindow(settings, moment).until;
  const due = getWindowEnd(at) > now ? getWindowEnd(at) : getWindowEnd(now);
  return postponeToQuietHoursEnd(quietHours, timeZone, due);
}

/** Return the hour or the quiet hours of a moment. */
export function getDigestWindow({ quietHours, timeZone }: RecipientSettings, at: Date): TimeRange {
  const hour = Math.floor(at.getTime() / HOUR_MS) * HOUR_MS;
  const quiet = findQuietHoursAt(quietHours, timeZone, at);
  return quiet ?? { since: new Date(hour), until: new Date(hour + HOUR_MS) };
}
