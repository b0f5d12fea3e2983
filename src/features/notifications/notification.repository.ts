import type { Db, Tx } from '../../platform/database.ts';
import { getMinIdAt } from '../../shared/ids.ts';

/** A notification as the table holds it, with how it was sent. */
export type NotificationRow = NonNullable<Awaited<ReturnType<typeof findNotification>>>;

export interface NotificationFilter {
  type?: string | undefined;
  /** True for read ones, false for unread ones. */
  isRead?: boolean | undefined;
  skip: number;
  take: number;
}

const WITH_DELIVERIES = { deliveries: { orderBy: [{ channel: 'asc' as const }, { id: 'asc' as const }] } };

/** A page of a person's notifications, newest first, and how many match. */
export async function listNotifications(
  db: Db,
  userId: string,
  filter: NotificationFilter,
): Promise<{ rows: NotificationRow[]; total: number }> {
  const { type, isRead, skip, take } = filter;
  const where = {
    userId,
    dismissedAt: null,
    ...(type ? { type } : {}),
    ...(isRead === undefined ? {} : { readAt: isRead ? { not: null } : null }),
  };
  const [rows, total] = await Promise.all([
    // An id knows only the second.
    db.notification.findMany({
      where,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip,
      take,
      include: WITH_DELIVERIES,
    }),
    db.notification.count({ where }),
  ]);
  return { rows, total };
}

/** A notification of a person; null when it is absent, deleted or somebody else's. */
export async function findNotification(db: Db, userId: string, id: string) {
  return db.notification.findFirst({ where: { id, userId, dismissedAt: null }, include: WITH_DELIVERIES });
}

/** The notifications of these ids that are there, in no order. */
export async function findNotifications(db: Db, ids: readonly string[]): Promise<NotificationRow[]> {
  return db.notification.findMany({
    where: { id: { in: [...ids] }, dismissedAt: null },
    include: WITH_DELIVERIES,
  });
}

/** How many notifications a person has not read. */
export async function countUnreadNotifications(db: Db, userId: string): Promise<number> {
  return db.notification.count({ where: { userId, readAt: null } });
}

/** Marks a notification of a person as read; false when there is no unread one of this id. */
export async function markNotificationRead(tx: Tx, userId: string, id: string): Promise<boolean> {
  const { count } = await tx.notification.updateMany({
    where: { id, userId, readAt: null },
    data: { readAt: new Date() },
  });
  return count === 1;
}

/** Marks all notifications of a person as read. Answers how many were not. */
export async function markAllNotificationsRead(tx: Tx, userId: string): Promise<number> {
  const { count } = await tx.notification.updateMany({
    where: { userId, readAt: null },
    data: { readAt: new Date() },
  });
  return count;
}

/** Deletes a notification of a person; its row remains for a while, so that they are not told again. False when it is absent or somebody else's. */
export async function dismissNotification(tx: Tx, userId: string, id: string): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE notifications SET dismissed_at = now(), read_at = coalesce(read_at, now()), data = '{}'
    WHERE id = ${id} AND user_id = ${userId} AND dismissed_at IS NULL`;
  return count === 1;
}

/** Removes what was read 90 days ago, deleted 30 days ago, or is unread for a year, with how it was sent. Answers how many. */
export async function deleteExpiredNotifications(db: Db, now: Date, limit: number): Promise<number> {
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000);
  return db.$executeRaw`
    DELETE FROM notifications WHERE id = ANY(ARRAY(
      (SELECT id FROM notifications WHERE read_at < ${ago(90)} LIMIT ${limit})
      UNION ALL
      (SELECT id FROM notifications WHERE dismissed_at < ${ago(30)} LIMIT ${limit})
      UNION ALL
      (SELECT id FROM notifications WHERE id < ${getMinIdAt(ago(365))} AND read_at IS NULL LIMIT ${limit})))`;
}
