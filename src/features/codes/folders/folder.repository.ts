import type { Db, Tx } from '../../../platform/database.ts';
import type { ErasureRow } from '../../../platform/personal-data.ts';
import { executeSql, querySql, type SqlConnection } from '../../../platform/sql.ts';
import type { ListSort } from '../../../shared/list-cursor.ts';

export type FolderRow = NonNullable<Awaited<ReturnType<typeof findFolder>>>;

/** The primary key of a folder. */
export interface FolderKey {
  accountId: string;
  id: string;
}

export interface FolderValues {
  name: string;
  color: string;
}

/** Codes that a statement of the clean-up takes out of a folder. */
const RELEASE_BATCH_SIZE = 1_000;

export const FOLDER_ORDER: ListSort<Pick<FolderRow, 'id' | 'name'>> = {
  name: 'name',
  keyType: 'text',
  getPosition: ({ id, name }) => ({ key: name.toLowerCase(), id }),
};

/** List the folders of an account by name. They are few. */
export async function listFolders(db: Db, accountId: string): Promise<FolderRow[]> {
  const rows = await db.folder.findMany({ where: { accountId, deletedAt: null } });
  return rows.toSorted((one, other) => {
    const [first, second] = [FOLDER_ORDER.getPosition(one), FOLDER_ORDER.getPosition(other)];
    if (first.key !== second.key) return String(first.key) < String(second.key) ? -1 : 1;
    return first.id < second.id ? -1 : 1;
  });
}

export async function findFolder(db: Db, { accountId, id }: FolderKey) {
  return db.folder.findFirst({ where: { accountId, id, deletedAt: null } });
}

/** Find a deleted folder that can still be restored. */
export async function findDeletedFolder(db: Db, { accountId, id }: FolderKey, deletedSince: Date) {
  return db.folder.findFirst({ where: { accountId, id, deletedAt: { gte: deletedSince } } });
}

/** Count the folders of an account, deleted ones too. */
export async function countStoredFolders(db: Db, accountId: string): Promise<number> {
  return db.folder.count({ where: { accountId } });
}

export async function lockFolder(tx: Tx, { accountId, id }: FolderKey): Promise<void> {
  await querySql(tx)`SELECT FROM folders WHERE account_id = ${accountId} AND id = ${id} FOR NO KEY UPDATE`;
}

export async function insertFolder(tx: Tx, row: FolderKey & FolderValues): Promise<FolderRow> {
  return tx.folder.create({ data: row });
}

/** Update a folder that this transaction has locked; `deletedAt` deletes it, or restores it. */
export async function updateFolder(
  tx: Tx,
  { accountId, id }: FolderKey,
  values: Partial<FolderValues & { deletedAt: Date | null }>,
): Promise<FolderRow> {
  return tx.folder.update({
    where: { accountId_id: { accountId, id } },
    data: { ...values, version: { increment: 1 }, updatedAt: new Date() },
  });
}

/** Count the codes of each folder; those of deleted folders and deleted codes do not count. */
export async function countCodesByFolder(
  connection: SqlConnection,
  accountId: string,
): Promise<Map<string, number>> {
  const rows = await querySql<{ folderId: string | null; count: number }>(connection)`
    SELECT folder_id AS "folderId", count(*)::int AS count FROM qr_codes
    WHERE account_id = ${accountId} AND folder_id IS NOT NULL AND status <> 'DELETED' GROUP BY folder_id`;
  return new Map(rows.flatMap(({ folderId, count }) => (folderId === null ? [] : [[folderId, count]])));
}

export async function countCodesOfFolder(
  connection: SqlConnection,
  { accountId, id }: FolderKey,
): Promise<number> {
  const [row] = await querySql<{ count: number }>(connection)`
    SELECT count(*)::int AS count FROM qr_codes
    WHERE account_id = ${accountId} AND folder_id = ${id} AND status <> 'DELETED'`;
  return row?.count ?? 0;
}

/** List folders that were deleted before a time. */
export async function listRemovableFolders(db: Db, deletedBefore: Date, limit: number): Promise<FolderKey[]> {
  return db.folder.findMany({
    where: { deletedAt: { lt: deletedBefore } },
    select: { accountId: true, id: true },
    orderBy: { deletedAt: 'asc' },
    take: limit,
  });
}

/** Take some codes out of a deleted folder, where they count as in none; false once none are left. */
export async function releaseCodesOfFolder(db: Db, { accountId, id }: FolderKey): Promise<boolean> {
  const count = await executeSql(db)`
    UPDATE qr_codes SET folder_id = NULL WHERE account_id = ${accountId} AND id IN (
      SELECT id FROM qr_codes WHERE account_id = ${accountId} AND folder_id = ${id}
      ORDER BY id LIMIT ${RELEASE_BATCH_SIZE} FOR NO KEY UPDATE SKIP LOCKED)`;
  return count > 0;
}

/** Remove a folder that was deleted before a time, unless a code is in it. */
export async function removeFolder(db: Db, { accountId, id }: FolderKey, deletedBefore: Date): Promise<void> {
  await executeSql(db)`
    DELETE FROM folders WHERE account_id = ${accountId} AND id = ${id} AND deleted_at < ${deletedBefore}
    AND NOT EXISTS (SELECT FROM qr_codes WHERE account_id = ${accountId} AND folder_id = ${id})`;
}

/** Delete all folders of an erased account, whose codes are in none any more. */
export async function eraseFolders(tx: Tx, { userId }: ErasureRow): Promise<true> {
  await tx.folder.deleteMany({ where: { accountId: userId } });
  return true;
}
