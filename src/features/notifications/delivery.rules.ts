import { type AlarmHandling, getAlarmDigestTime } from './alarms.rules.ts';
import {
  hasDedicatedMail,
  isConfigurableEvent,
  NOTIFICATION_KINDS,
  type NotificationChannel,
} from './notification-kinds.rules.ts';
import { findQuietSpan, getNextTimeOfDay, postponeToQuietEnd, type TimeSpan } from './quiet-hours.rules.ts';
import { isChannelEnabled, type NotificationSettings } from './settings.rules.ts';

const HOUR_MS = 3_600_000;

const DAILY_DIGEST_MINUTE = 8 * 60;

/** Scans of one hour, or of one night's quiet hours, that an AUTOMATIC digest sends one by one. */
export const MAX_SINGLE_SCANS = 5;

export interface RecipientSettings extends NotificationSettings {
  timeZone: string;
}

export interface DeliveryCandidate {
  event: string;
  createdAt: Date;
  /** Among the first scans of its window: see `getSingleScanWindowStart`. */
  isAmongFirst: boolean;
  alarm?: AlarmHandling | undefined;
}

/** LIST: no delivery. HOLD: wait for the end of quiet hours. GATHER, GATHER_ALARM: add to a digest. */
export type DeliveryDecision =
  | { act: 'NOTHING' | 'LIST' | 'SEND' }
  | { act: 'HOLD' | 'GATHER' | 'GATHER_ALARM'; until: Date };

/** Choose how a notification is delivered on a channel at a moment. */
export function chooseDelivery(
  settings: RecipientSettings,
  candidate: DeliveryCandidate,
  channel: NotificationChannel,
  now: Date,
): DeliveryDecision {
  const { event } = candidate;
  if (!isConfigurableEvent(event) || !isChannelEnabled(settings.preferences, event, channel))
    return { act: 'NOTHING' };
  if (channel === 'EMAIL' && hasDedicatedMail(event)) return { act: 'NOTHING' };
  if (candidate.alarm === 'REPEATED') return { act: 'LIST' };
  if (candidate.alarm === 'GATHERED') return { act: 'GATHER_ALARM', until: getAlarmDigestTime(now) };
  if (NOTIFICATION_KINDS[event].isUrgent) return { act: 'SEND' };
  if (belongsToDigest(settings, candidate))
    return { act: 'GATHER', until: getDigestTime(settings, candidate.createdAt, now) };
  const quiet = findQuietSpan(settings.quietHours, settings.timeZone, now);
  return quiet ? { act: 'HOLD', until: quiet.until } : { act: 'SEND' };
}

/** Return the start of the window in which the first scans are sent one by one: the hour, or the quiet hours. */
export function getSingleScanWindowStart(settings: RecipientSettings, at: Date): Date {
  return getDigestWindow(settings, at).since;
}

/** Check whether only the first scans of a window are sent one by one. */
export function usesSingleScanLimit({ digest }: RecipientSettings, event: string): boolean {
  return digest === 'AUTOMATIC' && event === 'QR_CODE_SCANNED';
}

/** Return the time of the digest for a moment, or of the next one if that has passed. */
export function getDigestTime(settings: RecipientSettings, at: Date, now: Date): Date {
  const { digest, quietHours, timeZone } = settings;
  const getWindowEnd = (moment: Date) =>
    digest === 'DAILY'
      ? getNextTimeOfDay(DAILY_DIGEST_MINUTE, timeZone, moment)
      : getDigestWindow(settings, moment).until;
  const due = getWindowEnd(at) > now ? getWindowEnd(at) : getWindowEnd(now);
  return postponeToQuietEnd(quietHours, timeZone, due);
}

function belongsToDigest({ digest }: RecipientSettings, { event, isAmongFirst }: DeliveryCandidate): boolean {
  if (event !== 'QR_CODE_SCANNED' || digest === 'NEVER') return false;
  return digest === 'AUTOMATIC' ? !isAmongFirst : true;
}

function getDigestWindow({ quietHours, timeZone }: RecipientSettings, at: Date): TimeSpan {
  const hour = Math.floor(at.getTime() / HOUR_MS) * HOUR_MS;
  const quiet = findQuietSpan(quietHours, timeZone, at);
  return quiet ?? { since: new Date(hour), until: new Date(hour + HOUR_MS) };
}
