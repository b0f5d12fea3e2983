import type { Db } from '../../platform/database.ts';

const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

export async function findTakedownsByIds(db: Db, ids: string[]) {
  return db.qrCodeTakedown.findMany({
    where: { id: { in: ids } },
    orderBy: NEWEST_FIRST,
    include: { appeals: { orderBy: NEWEST_FIRST } },
  });
}
