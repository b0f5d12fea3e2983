import type { Static } from 'typebox';
import type { NotificationRow } from './notification.repository.ts';
import { NOTIFICATION_TYPES, type Notification } from './notifications.schemas.ts';

/** A notification as its person sees it. Being in the list is its delivery in the application. */
export function notificationView(row: NotificationRow): Static<typeof Notification> {
  const createdAt = row.createdAt.toISOString();
  return {
    id: row.id,
    type: NOTIFICATION_TYPES.find((type) => type === row.type) ?? 'DEFAULT',
    event: row.event,
    title: row.title,
    body: row.body,
    data: textsOf(row.data),
    isRead: row.readAt !== null,
    deliveries: [{ channel: 'IN_APP', status: 'DELIVERED', reason: null, at: createdAt }],
    createdAt,
  };
}

function textsOf(data: unknown): Record<string, string> {
  const entries = typeof data === 'object' && data !== null ? Object.entries(data) : [];
  return Object.fromEntries(
    entries.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
}
