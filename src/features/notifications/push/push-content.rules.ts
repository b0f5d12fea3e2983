import { formatMessage, hasMessage } from '../../../shared/i18n/format-message.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type NotificationText, translateNotification } from '../../../shared/i18n/notification-text.ts';
import { t } from '../../../shared/i18n/translate.ts';

/** What of a notification a push is made of. */
export interface PushNotification {
  id: string;
  type: string;
  event: string;
  data: Readonly<Record<string, string>>;
  createdAt: Date;
  readAt: Date | null;
  dismissedAt: Date | null;
}

/** Kinds of codes whose titles tell of somebody's health or papers. */
const SENSITIVE_KINDS: readonly string[] = ['MEDICAL', 'IDENTIFICATION', 'DOCUMENT'];

/** What is to be done about soon. */
const ACTION_NEEDED_EVENTS: readonly string[] = ['PAYMENT_FAILED', 'PAYMENT_ACTION_NEEDED'];

/** Seconds after which a notification is no news any more. */
const PUSH_TTL_SECONDS = 24 * 60 * 60;

/** Types that wake a device that sleeps. */
const URGENT_TYPES: readonly string[] = ['ALERT', 'MESSAGE'];

/**
 * What a push says: a locked screen shows it to anybody, so it names no place, and a code only where its title tells
 * nothing of health or papers, a document never, and whom a memory tag remembers only where a code tells it. Of money it
 * says nothing but that there is news.
 * @param kind that of the code it is about; null where that is not known, or no code may be named
 */
export function translatePush(
  locale: Locale,
  { event, data }: Pick<PushNotification, 'event' | 'data'>,
  kind: string | null,
): NotificationText {
  if (isPaymentEvent(event))
    return {
      title: ACTION_NEEDED_EVENTS.includes(event)
        ? t(locale, 'pushes.SUBSCRIPTION_NEEDS_YOU')
        : t(locale, 'pushes.ABOUT_SUBSCRIPTION'),
      body: '',
    };
  const { place: _place, ...rest } = data;
  // A digest may name codes of any kind; what a document is called tells what somebody has.
  const hidesDetails =
    'codes' in rest ||
    'document' in rest ||
    ('remembered' in rest && kind === null) ||
    ('code' in rest && (kind === null || SENSITIVE_KINDS.includes(kind)));
  if (!hidesDetails) return translateNotification(locale, { event, data: rest });
  const key = `pushes.${event}`;
  const title = hasMessage(key) ? formatMessage(locale, key) : t(locale, 'pushes.ABOUT_A_CODE');
  return { title, body: '' };
}

/** What the application on the device learns: what happened, and ids by which it asks for the rest. */
export function createPushData({ id, event, data }: PushNotification): Record<string, string> {
  const ids = Object.entries(data).filter(([key]) => /^[a-z][A-Za-z]*Id$/.test(key));
  return { ...Object.fromEntries(ids), notificationId: id, event };
}

/** Whether it wakes a device, and for how many seconds it is worth showing. */
export function getPushUrgency({ type, createdAt }: PushNotification, now: Date) {
  const age = Math.floor((now.getTime() - createdAt.getTime()) / 1000);
  return { urgent: URGENT_TYPES.includes(type), ttl: PUSH_TTL_SECONDS - age };
}

/** Why a push is not sent any more, as a word; null where it is. */
export function findSkipReason(notification: PushNotification, hasDevice: boolean, now: Date): string | null {
  if (!hasDevice) return 'DEVICE_GONE';
  // A digest stands in the list as read from the beginning.
  const isRead = notification.readAt !== null && notification.event !== 'SCANS_DIGEST';
  if (isRead || notification.dismissedAt !== null) return 'READ';
  return getPushUrgency(notification, now).ttl > 0 ? null : 'EXPIRED';
}

function isPaymentEvent(event: string): boolean {
  return /^(SUBSCRIPTION|TRIAL|PAYMENT)_/.test(event);
}
