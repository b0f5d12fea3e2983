import { Prisma } from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database.ts';
import { createAfterFilter } from '../../platform/list-order.repository.ts';
import { executeSql, querySql, sql } from '../../platform/sql.ts';
import { getMinIdAt } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { type ListRange, toTimePosition } from '../../shared/list-cursor.ts';
import type { NotificationSort } from './notifications.schemas.ts';
import {
  createReadableFilter,
  IS_READABLE,
  IS_READABLE_BY_ROLE,
} from './readable-notification.repository.ts';

export type NotificationRow = NonNullable<Awaited<ReturnType<typeof findNotification>>>;

export interface NotificationFilter {
  types?: readonly string[] | undefined;
  isRead?: boolean | undefined;
}

const WITH_DELIVERIES = { deliveries: { orderBy: [{ channel: 'asc' as const }, { id: 'asc' as const }] } };

export async function listNotifications(
  db: Db,
  userId: string,
  { types, isRead }: NotificationFilter,
  sort: NotificationSort,
  { skip, take, after }: ListRange,
): Promise<{ rows: NotificationRow[]; total: number }> {
  const direction = sort === 'createdAt' ? 'asc' : 'desc';
  const where = {
    ...createReadableFilter(userId),
    dismissedAt: null,
    ...(types ? { type: { in: [...types] } } : {}),
    ...(isRead === undefined ? {} : { readAt: isRead ? { not: null } : null }),
  };
  const [rows, total] = await Promise.all([
    // Ids alone do not order rows of the same second.
    db.notification.findMany({
      where: { ...where, ...createAfterFilter('createdAt', after, direction) },
      orderBy: [{ createdAt: direction }, { id: direction }],
      skip,
      take,
      include: WITH_DELIVERIES,
    }),
    after === undefined ? db.notification.count({ where }) : 0,
  ]);
  return { rows, total };
}

/** List notifications, also dismissed ones, by their last change since a time, oldest first. */
export async function listChangedNotifications(
  db: Db,
  { userId, since }: { userId: string; since: Date },
  { take, after }: ListRange,
): Promise<NotificationRow[]> {
  const position = toTimePosition(after);
  const whereAfter = position
    ? sql`AND (greatest(created_at, read_at, dismissed_at), id) > (${position.at}, ${position.id})`
    : Prisma.empty;
  const changed = await querySql<{ id: string }>(db)`
    SELECT id FROM notifications AS notification
    WHERE user_id = ${userId} AND ${IS_READABLE} AND greatest(created_at, read_at, dismissed_at) >= ${since} ${whereAfter}
    ORDER BY greatest(created_at, read_at, dismissed_at), id LIMIT ${take}`;
  return db.notification.findMany({
    where: { id: { in: changed.map(({ id }) => id) } },
    include: WITH_DELIVERIES,
  });
}

/** When a notification was made, read or dismissed, whichever was last. */
export function getNotificationChangeTime({ createdAt, readAt, dismissedAt }: NotificationRow): Date {
  return new Date(Math.max(...[createdAt, readAt, dismissedAt].map(Number)));
}

/** Find a notification of a user that is not dismissed. */
export async function findNotification(db: Db, userId: string, id: string) {
  return db.notification.findFirst({
    where: { id, ...createReadableFilter(userId), dismissedAt: null },
    include: WITH_DELIVERIES,
  });
}

/** Whether a user has a notification that they may read once they have a second factor. Call it for one that is not found. */
export async function needsSecondFactor(db: Db, userId: string, id: string): Promise<boolean> {
  const rows = await querySql(db)`
    SELECT FROM notifications AS notification
    WHERE id = ${id} AND user_id = ${userId} AND dismissed_at IS NULL AND ${IS_READABLE_BY_ROLE}`;
  return rows.length > 0;
}

/** Find notifications that are not dismissed and that the role of their users covers; their second factor is checked elsewhere. */
export async function findReadableNotificationsByIds(
  db: Db,
  ids: readonly string[],
): Promise<NotificationRow[]> {
  const readable = await querySql<{ id: string }>(db)`
    SELECT id FROM notifications AS notification
    WHERE id = ANY(${[...ids]}) AND dismissed_at IS NULL AND ${IS_READABLE_BY_ROLE}`;
  return db.notification.findMany({
    where: { id: { in: readable.map(({ id }) => id) }, dismissedAt: null },
    include: WITH_DELIVERIES,
  });
}

export async function countUnreadNotifications(db: Db, userId: string): Promise<number> {
  return db.notification.count({ where: { ...createReadableFilter(userId), readAt: null } });
}

/** Delete the notifications of a user about an organization, also those that are not sent yet. */
export async function deleteNotificationsOfMember(
  tx: Tx,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<void> {
  await tx.notification.deleteMany({ where: { userId, accountId } });
}

/** Mark a notification as read; false if there is no unread one with this id. */
export async function markNotificationRead(tx: Tx, userId: string, id: string): Promise<boolean> {
  const { count } = await tx.notification.updateMany({
    where: { id, ...createReadableFilter(userId), readAt: null },
    data: { readAt: new Date() },
  });
  return count === 1;
}

/** Mark all notifications of a user as read. Returns the number that was unread. */
export async function markAllNotificationsRead(tx: Tx, userId: string): Promise<number> {
  const { count } = await tx.notification.updateMany({
    where: { ...createReadableFilter(userId), readAt: null },
    data: { readAt: new Date() },
  });
  return count;
}

/** Dismiss a notification. Its row stays for a while, to prevent a second one with the same key. False if there is none. */
export async function dismissNotification(tx: Tx, userId: string, id: string): Promise<boolean> {
  const count = await executeSql(tx)`
    UPDATE notifications AS notification SET dismissed_at = now(), read_at = coalesce(read_at, now()), data = '{}'
    WHERE id = ${id} AND user_id = ${userId} AND dismissed_at IS NULL AND ${IS_READABLE}`;
  return count === 1;
}

/** Delete notifications that were read, dismissed or left unread for their lifetime. Returns the number deleted. */
export async function deleteExpiredNotifications(db: Db, now: Date, limit: number): Promise<number> {
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  const { readNotification, deletedRecord, unreadNotification } = LIFETIMES_SECONDS;
  return executeSql(db)`
    DELETE FROM notifications WHERE id = ANY(ARRAY(
      (SELECT id FROM notifications WHERE read_at < ${ago(readNotification)} LIMIT ${limit})
      UNION ALL
      (SELECT id FROM notifications WHERE dismissed_at < ${ago(deletedRecord)} LIMIT ${limit})
      UNION ALL
      (SELECT id FROM notifications WHERE id < ${getMinIdAt(ago(unreadNotification))} AND read_at IS NULL LIMIT ${limit})))`;
}
