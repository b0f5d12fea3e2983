import { recordAuditEntry } from '../../platform/audit.ts';
import type { Database, Tx } from '../../platform/database.ts';
import { publishRealtimeEvents } from '../../platform/realtime/publish-events.ts';
import { getUserStreamName } from '../../platform/realtime/streams.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import {
  dismissNotification,
  findNotification,
  markAllNotificationsRead,
  markNotificationRead,
  type NotificationRow,
} from './notification.repository.ts';

/** Mark a notification as read. A repeat changes nothing. @throws NOT_FOUND */
export function readNotification(
  database: Database,
  context: RequestContext,
  userId: string,
  id: string,
): Promise<NotificationRow> {
  return database.transaction(async (tx) => {
    const isMarked = await markNotificationRead(tx, userId, id);
    const row = await findNotification(tx, userId, id);
    if (!row) throw new ServiceError('NOT_FOUND');
    if (isMarked) {
      await recordAuditEntry(tx, context, { resourceId: id });
      await publishRead(tx, userId, id);
    }
    return row;
  });
}

/** Mark all notifications as read. @returns how many were unread */
export function readAllNotifications(
  database: Database,
  context: RequestContext,
  userId: string,
): Promise<number> {
  return database.transaction(async (tx) => {
    const updated = await markAllNotificationsRead(tx, userId);
    if (updated > 0) {
      await recordAuditEntry(tx, context);
      await publishRead(tx, userId, null);
    }
    return updated;
  });
}

/** @throws NOT_FOUND */
export function deleteNotification(
  database: Database,
  context: RequestContext,
  userId: string,
  id: string,
): Promise<void> {
  return database.transaction(async (tx) => {
    if (!(await dismissNotification(tx, userId, id))) throw new ServiceError('NOT_FOUND');
    await recordAuditEntry(tx, context, { resourceId: id });
  });
}

/** Publish to the user's sockets that a notification was read; null means all. */
function publishRead(tx: Tx, userId: string, notificationId: string | null): Promise<void> {
  return publishRealtimeEvents(tx, {
    stream: getUserStreamName(userId),
    event: 'notification.read',
    data: { notificationId },
  });
}
