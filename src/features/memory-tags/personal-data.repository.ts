import type { Db, Tx } from '../../platform/database.ts';
import type { ErasureBatchOptions, ErasureRow } from '../../platform/personal-data.ts';
import { deleteUserRows } from '../../platform/personal-rows.repository.ts';

const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

/** Find memory tags by id, newest first, with their guest books and caretakers. */
export async function findMemoryTagsByIds(db: Db, accountId: string, ids: string[]) {
  return db.memoryTag.findMany({
    where: { accountId, id: { in: ids } },
    orderBy: NEWEST_FIRST,
    include: {
      entries: { where: { deletedAt: null }, orderBy: NEWEST_FIRST },
      caretakers: { orderBy: NEWEST_FIRST },
    },
  });
}

/** Find caretakers by id, newest first, with the names of their memory tags. */
export async function findCaretakersByIds(db: Db, userId: string, ids: string[]) {
  return db.memoryTagCaretaker.findMany({
    where: { userId, id: { in: ids } },
    orderBy: NEWEST_FIRST,
    select: { memoryTagId: true, createdAt: true, memoryTag: { select: { name: true } } },
  });
}

/**
 * Delete memory tags once no picture is left: a deletion cascades to up to a hundred pictures with all of their
 * renditions. True once none remain.
 */
export async function eraseMemoryTags(
  tx: Tx,
  { userId }: ErasureRow,
  { limit }: ErasureBatchOptions,
): Promise<boolean> {
  if (await tx.picture.findFirst({ where: { accountId: userId }, select: { id: true } })) return false;
  const names = { table: 'memory_tags', user: 'account_id', key: 'id' };
  return (await deleteUserRows(tx, names, userId, limit)) < limit;
}
