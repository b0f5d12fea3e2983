import type { Db } from '../../platform/database.ts';

const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

export async function findTakedownsByIds(db: Db, accountId: string, ids: string[]) {
  return db.qrCodeTakedown.findMany({
    where: { accountId, id: { in: ids } },
    orderBy: NEWEST_FIRST,
    include: { appeals: { orderBy: NEWEST_FIRST } },
  });
}
