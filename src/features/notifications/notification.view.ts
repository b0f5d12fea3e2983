import type { Static } from 'typebox';
import type { Locale } from '../../shared/i18n/locales.ts';
import { translateNotification } from '../../shared/i18n/notification-text.ts';
import type { NotificationRow } from './notification.repository.ts';
import {
  NOTIFICATION_DELIVERY_CHANNELS,
  NOTIFICATION_DELIVERY_STATUSES,
  NOTIFICATION_TYPES,
  type Notification,
} from './notifications.schemas.ts';

/** Convert a notification to its user's view. The list itself is the IN_APP delivery. */
export function toNotificationView(row: NotificationRow, locale: Locale): Static<typeof Notification> {
  const data = pickStringValues(row.data);
  const createdAt = row.createdAt.toISOString();
  return {
    id: row.id,
    type: NOTIFICATION_TYPES.find((type) => type === row.type) ?? 'DEFAULT',
    event: row.event,
    ...translateNotification(locale, { event: row.event, data }),
    data,
    isRead: row.readAt !== null,
    deliveries: [
      { channel: 'IN_APP', status: 'DELIVERED', reason: null, at: createdAt },
      ...row.deliveries.map(toDeliveryView),
    ],
    createdAt,
  };
}

function toDeliveryView({ channel, status, reason, statusChangedAt }: NotificationRow['deliveries'][number]) {
  return {
    channel: NOTIFICATION_DELIVERY_CHANNELS.find((known) => known === channel) ?? 'EMAIL',
    status: NOTIFICATION_DELIVERY_STATUSES.find((known) => known === status) ?? 'FAILED',
    reason,
    at: statusChangedAt.toISOString(),
  };
}

export function pickStringValues(data: unknown): Record<string, string> {
  const entries = typeof data === 'object' && data !== null ? Object.entries(data) : [];
  return Object.fromEntries(
    entries.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
}
