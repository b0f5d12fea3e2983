import { recordAuditEntry } from '../../platform/audit.ts';
import type { Database, Db, Tx } from '../../platform/database.ts';
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
  needsSecondFactor,
} from './notification.repository.ts';

/** Get a notification of a user. @throws NOT_FOUND, MFA_ENROLLMENT_REQUIRED where its organization requires a second factor */
export async function getNotification(db: Db, userId: string, id: string): Promise<NotificationRow> {
  const row = await findNotification(db, userId, id);
  if (!row) throw await createMissingError(db, userId, id);
  return row;
}

async function createMissingError(db: Db, userId: string, id: string): Promise<ServiceError> {
  return new ServiceError(
    (await needsSecondFactor(db, userId, id)) ? 'MFA_ENROLLMENT_REQUIRED' : 'NOT_FOUND',
  );
}

/** Mark a notification as read. A repeat changes nothing. @throws NOT_FOUND, MFA_ENROLLMENT_REQUIRED */
export function readNotification(
  database: Database,
  context: RequestContext,
  userId: string,
  id: string,
): Promise<NotificationRow> {
  return database.transaction(async (tx) => {
    const isMarked = await markNotificationRead(tx, userId, id);
    const row = await getNotification(tx, userId, id);
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

/** @throws NOT_FOUND, MFA_ENROLLMENT_REQUIRED */
export function deleteNotification(
  database: Database,
  context: RequestContext,
  userId: string,
  id: string,
): Promise<void> {
  return database.transaction(async (tx) => {
    if (!(await dismissNotification(tx, userId, id))) throw await createMissingError(tx, userId, id);
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
