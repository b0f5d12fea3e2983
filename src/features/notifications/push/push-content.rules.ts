import { DAY_SECONDS } from '../../../shared/durations.ts';
import { formatMessage, isKnownMessageKey } from '../../../shared/i18n/format-message.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type NotificationText, translateNotification } from '../../../shared/i18n/notification-text.ts';
import { t } from '../../../shared/i18n/translate.ts';

export interface PushNotification {
  id: string;
  type: string;
  event: string;
  data: Readonly<Record<string, string>>;
  createdAt: Date;
  readAt: Date | null;
  dismissedAt: Date | null;
}

/** Kinds of codes whose titles may reveal health data or documents. */
const SENSITIVE_KINDS: readonly string[] = ['MEDICAL', 'IDENTIFICATION', 'DOCUMENT'];

const ACTION_NEEDED_EVENTS: readonly string[] = ['payment.failed', 'payment.action_required'];

const PUSH_TTL_SECONDS = DAY_SECONDS;

const URGENT_TYPES: readonly string[] = ['ALERT', 'MESSAGE'];

/**
 * Translate a push for a locked screen: without places, titles of sensitive codes, document titles and payment details. The
 * name on a memory tag is only included if the code shows it.
 * @param kind kind of the related code; null if unknown, or if no code may be named
 */
export function translatePushNotification(
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
  const { place: _place, country: _country, ...rest } = data;
  // A digest may contain codes of any kind.
  const hidesDetails =
    'codes' in rest ||
    'document' in rest ||
    ('remembered' in rest && kind === null) ||
    ('code' in rest && (kind === null || SENSITIVE_KINDS.includes(kind)));
  if (!hidesDetails) return translateNotification(locale, { event, data: rest });
  const key = `pushes.${event}`;
  const title = isKnownMessageKey(key) ? formatMessage(locale, key) : t(locale, 'pushes.ABOUT_A_CODE');
  return { title, body: '' };
}

/** Create the data for the application on the device: the event and related ids. */
export function createPushData({ id, event, data }: PushNotification): Record<string, string> {
  const ids = Object.entries(data).filter(([key]) => /^[a-z][A-Za-z]*Id$/.test(key));
  return { ...Object.fromEntries(ids), notificationId: id, event };
}

export function getPushDeliveryOptions({ type, createdAt }: PushNotification, now: Date) {
  const age = Math.floor((now.getTime() - createdAt.getTime()) / 1000);
  return { urgent: URGENT_TYPES.includes(type), ttl: PUSH_TTL_SECONDS - age };
}

export function findPushSkipReason(
  notification: PushNotification,
  hasDevice: boolean,
  now: Date,
): string | null {
  if (!hasDevice) return 'DEVICE_GONE';
  // A digest is marked as read from the beginning.
  const isRead = notification.readAt !== null && notification.event !== 'scan.digest';
  if (isRead || notification.dismissedAt !== null) return 'READ';
  return getPushDeliveryOptions(notification, now).ttl > 0 ? null : 'EXPIRED';
}

function isPaymentEvent(event: string): boolean {
  return /^(subscription|payment)\./.test(event);
}
