import { type AlarmHandling, getNextAlarmDigestTime } from './alarms.rules.ts';
import { getDigestTime, getDigestWindow } from './digest-time.rules.ts';
import {
  hasDedicatedMail,
  isConfigurableEvent,
  NOTIFICATION_KIND_BY_EVENT,
  type NotificationChannel,
} from './notification-kinds.rules.ts';
import { findQuietHoursAt } from './quiet-hours.rules.ts';
import { isChannelEnabled, type RecipientSettings } from './settings.rules.ts';

/** Scans of one hour, or of one night's quiet hours, that an AUTOMATIC digest sends one by one. */
export const MAX_SINGLE_SCAN_NOTIFICATIONS = 5;

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
export function chooseNotificationDelivery(
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
  if (candidate.alarm === 'GATHERED') return { act: 'GATHER_ALARM', until: getNextAlarmDigestTime(now) };
  if (NOTIFICATION_KIND_BY_EVENT[event].ignoresQuietHours) return { act: 'SEND' };
  if (belongsToDigest(settings, candidate))
    return { act: 'GATHER', until: getDigestTime(settings, candidate.createdAt, now) };
  const quiet = findQuietHoursAt(settings.quietHours, settings.timeZone, now);
  return quiet ? { act: 'HOLD', until: quiet.until } : { act: 'SEND' };
}

/** Return the start of the window in which the first scans are sent one by one: the hour, or the quiet hours. */
export function getSingleScanWindowStart(settings: RecipientSettings, at: Date): Date {
  return getDigestWindow(settings, at).since;
}

/** Check whether only the first scans of a window are sent one by one. */
export function usesSingleScanLimit({ digest }: RecipientSettings, event: string): boolean {
  return digest === 'AUTOMATIC' && event === 'scan.created';
}

function belongsToDigest({ digest }: RecipientSettings, { event, isAmongFirst }: DeliveryCandidate): boolean {
  if (event !== 'scan.created' || digest === 'NEVER') return false;
  return digest === 'AUTOMATIC' ? !isAmongFirst : true;
}
