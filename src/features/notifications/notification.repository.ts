import type { Db, Tx } from '../../platform/database.ts';

/** A notification as the table holds it. */
export type NotificationRow = NonNullable<Awaited<ReturnType<typeof findNotification>>>;

export interface NotificationFilter {
  type?: string | undefined;
  /** Each must hold: true for read ones, false for unread ones. */
  isRead: readonly boolean[];
  skip: number;
  take: number;
}

/** A page of a person's notifications, newest first, and how many match. */
export async function listNotifications(
  db: Db,
  userId: string,
  filter: NotificationFilter,
): Promise<{ rows: NotificationRow[]; total: number }> {
  const { type, isRead, skip, take } = filter;
  const where = {
    userId,
    ...(type ? { type } : {}),
    AND: isRead.map((read) => ({ readAt: read ? { not: null } : null })),
  };
  const [rows, total] = await Promise.all([
    // An id knows only the second.
    db.notification.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], skip, take }),
    db.notification.count({ where }),
  ]);
  return { rows, total };
}

/** A notification of a person; null when it is absent or somebody else's. */
export async function findNotification(db: Db, userId: string, id: string) {
  return db.notification.findFirst({ where: { id, userId } });
}

/** The notifications of these ids that are there, in no order. */
export async function findNotifications(db: Db, ids: readonly string[]): Promise<NotificationRow[]> {
  return db.notification.findMany({ where: { id: { in: [...ids] } } });
}

/** How many notifications a person has not read. */
export async function countUnread(db: Db, userId: string): Promise<number> {
  return db.notification.count({ where: { userId, readAt: null } });
}

/** Marks a notification of a person as read; false when there is no unread one of this id. */
export async function markRead(tx: Tx, userId: string, id: string): Promise<boolean> {
  const { count } = await tx.notification.updateMany({
    where: { id, userId, readAt: null },
    data: { readAt: new Date() },
  });
  return count === 1;
}

/** Marks all notifications of a person as read. Answers how many were not. */
export async function markAllRead(tx: Tx, userId: string): Promise<number> {
  const { count } = await tx.notification.updateMany({
    where: { userId, readAt: null },
    data: { readAt: new Date() },
  });
  return count;
}

/** Deletes a notification of a person; false when it is absent or somebody else's. */
export async function deleteNotification(tx: Tx, userId: string, id: string): Promise<boolean> {
  const { count } = await tx.notification.deleteMany({ where: { id, userId } });
  return count === 1;
}
