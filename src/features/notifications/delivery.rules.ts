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

/** Minutes past midnight at which a daily digest comes: in the morning. */
const DAILY_DIGEST_MINUTE = 8 * 60;

/** Ordinary scans of one hour, or of one night's quiet hours, that an AUTOMATIC digest leaves to themselves. */
export const MAX_SINGLE_SCANS = 5;

/** What a person wishes, and where they are. */
export interface RecipientSettings extends NotificationSettings {
  timeZone: string;
}

/** What is to be sent, by which channel. */
export interface DeliveryCandidate {
  event: string;
  createdAt: Date;
  /** Whether it is among the first ordinary scans of its window; see `singlesSince`. */
  isAmongFirst: boolean;
  /** How it is told where it is an alarm. */
  alarm?: AlarmHandling | undefined;
}

/** What becomes of it: nothing, the list alone, now, at the end of quiet hours, or as part of a digest: of scans, or of alarms. */
export type DeliveryDecision =
  | { act: 'NOTHING' | 'LIST' | 'SEND' }
  | { act: 'HOLD' | 'GATHER' | 'GATHER_ALARM'; until: Date };

/** What becomes of a notification by a channel, at this moment. */
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

/** Since when ordinary scans are counted, of which the first come singly: the hour, or the quiet hours, of a moment. */
export function getSingleScanWindowStart(settings: RecipientSettings, at: Date): Date {
  return getDigestWindow(settings, at).since;
}

/** Whether it matters how many ordinary scans came before. */
export function usesSingleScanLimit({ digest }: RecipientSettings, event: string): boolean {
  return digest === 'AUTOMATIC' && event === 'QR_CODE_SCANNED';
}

/** When the digest of a moment is told; of one that should have been told already, the next. */
export function getDigestTime(settings: RecipientSettings, at: Date, now: Date): Date {
  const { digest, quietHours, timeZone } = settings;
  const end = (moment: Date) =>
    digest === 'DAILY'
      ? getNextTimeOfDay(DAILY_DIGEST_MINUTE, timeZone, moment)
      : getDigestWindow(settings, moment).until;
  const due = end(at) > now ? end(at) : end(now);
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
