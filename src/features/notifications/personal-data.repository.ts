import type { Db } from '../../platform/database.ts';

const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

/** Find notifications by id, newest first, with their deliveries. */
export async function findNotificationsByIds(db: Db, userId: string, ids: string[]) {
  return db.notification.findMany({
    where: { userId, id: { in: ids } },
    orderBy: NEWEST_FIRST,
    include: {
      user: { select: { language: true } },
      deliveries: { orderBy: [{ channel: 'asc' }, { id: 'asc' }] },
    },
  });
}

/** List the push devices of a user, newest first, without their tokens. They are few. */
export async function listPushDevicesForExport(db: Db, userId: string) {
  return db.pushDevice.findMany({
    where: { userId },
    orderBy: NEWEST_FIRST,
    select: { id: true, platform: true, name: true, createdAt: true, lastUsedAt: true },
  });
}
