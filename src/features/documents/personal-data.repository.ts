import type { Db, Tx } from '../../platform/database.ts';
import type { ErasureBatchOptions, ErasureRow } from '../../platform/personal-data.ts';
import { executeSql } from '../../platform/sql.ts';

export async function findDocumentsByIds(db: Db, accountId: string, ids: string[]) {
  const oldestFirst = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
  return db.document.findMany({
    where: { accountId, id: { in: ids } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    include: {
      versions: { orderBy: { number: 'asc' } },
      shares: { orderBy: oldestFirst },
      grants: { orderBy: oldestFirst },
    },
  });
}

export async function listOwnerDocumentAccesses(db: Db, accountId: string, afterId: string, take: number) {
  return db.documentAccess.findMany({
    where: { accountId, id: { gt: afterId } },
    omit: { accountId: true, readerId: true },
    orderBy: { id: 'asc' },
    take,
  });
}

/** True once none remain. */
export async function clearDocumentAccessReader(
  tx: Tx,
  { userId }: ErasureRow,
  { limit }: ErasureBatchOptions,
): Promise<boolean> {
  const count = await executeSql(tx)`
    UPDATE document_accesses SET reader_id = NULL
    WHERE id IN (SELECT id FROM document_accesses WHERE reader_id = ${userId} LIMIT ${limit})`;
  return count < limit;
}
