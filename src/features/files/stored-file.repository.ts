import type { Db, Tx } from '../../platform/database.ts';
import { executeSql, querySql } from '../../platform/sql.ts';

export interface StoredFile {
  id: string;
  accountId: string;
  name: string;
  fileKey: Uint8Array;
  size: number;
}

export async function insertStoredFile(
  db: Db | Tx,
  file: { id: string; accountId: string; name: string; fileKey: Uint8Array<ArrayBuffer> },
): Promise<void> {
  await db.storedFile.create({ data: file, select: { id: true } });
}

/** Mark a file as stored; false when its row was removed. */
export async function markFileStored(tx: Tx, accountId: string, id: string, size: number): Promise<boolean> {
  const data = { state: 'STORED', size: BigInt(size), storedAt: new Date() };
  const { count } = await tx.storedFile.updateMany({ where: { id, accountId, state: 'WRITING' }, data });
  return count === 1;
}

/** Mark files as removed and delete their keys; return the ids that were not removed before. */
export async function markFilesRemoved(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await querySql<{ id: string }>(tx)`
    UPDATE stored_files SET state = 'REMOVED', file_key = NULL, removed_at = now()
    WHERE id = ANY(${[...ids]}::text[]) AND state <> 'REMOVED' RETURNING id`;
  return rows.map(({ id }) => id);
}

/** Mark a file as removed if nothing references it. */
export async function markUnstoredFileRemoved(tx: Tx, accountId: string, id: string): Promise<string[]> {
  const rows = await querySql<{ id: string }>(tx)`
    UPDATE stored_files SET state = 'REMOVED', file_key = NULL, removed_at = now()
    WHERE account_id = ${accountId} AND id = ${id} AND state = 'WRITING' RETURNING id`;
  return rows.map((row) => row.id);
}

/** Mark up to `limit` files of a user as removed and return their number. */
export async function markOwnerFilesRemoved(tx: Tx, accountId: string, limit: number): Promise<number> {
  return executeSql(tx)`
    UPDATE stored_files SET state = 'REMOVED', file_key = NULL, removed_at = now()
    WHERE account_id = ${accountId}
      AND id IN (SELECT id FROM stored_files WHERE account_id = ${accountId} AND state <> 'REMOVED' LIMIT ${limit})`;
}

/** List removed files of a user. */
export async function listRemovedFileIdsOfOwner(db: Db, accountId: string, take: number): Promise<string[]> {
  const where = { accountId, state: 'REMOVED' };
  const rows = await db.storedFile.findMany({ where, select: { id: true }, take });
  return rows.map(({ id }) => id);
}

/** Find a stored file that is not removed. */
export function findStoredFile(db: Db, accountId: string, id: string): Promise<StoredFile | null> {
  return findFile(db, { accountId, id, state: 'STORED' });
}

/** Find a file that nothing references yet; null when absent. */
export function findPendingFile(db: Db, accountId: string, id: string): Promise<StoredFile | null> {
  return findFile(db, { accountId, id, state: 'WRITING' });
}

async function findFile(
  db: Db,
  where: { accountId: string; id: string; state: 'STORED' | 'WRITING' },
): Promise<StoredFile | null> {
  const row = await db.storedFile.findFirst({ where });
  if (!row?.fileKey) return null;
  const { id, accountId, name, fileKey, size } = row;
  return { id, accountId, name, fileKey, size: Number(size) };
}

/** Find a removed file that is not deleted yet. */
export async function findRemovedFile(db: Db, id: string) {
  return db.storedFile.findFirst({
    where: { id, state: 'REMOVED' },
    select: { name: true, storedAt: true },
  });
}

export async function deleteRemovedFileRow(db: Db, id: string): Promise<void> {
  await db.storedFile.deleteMany({ where: { id, state: 'REMOVED' } });
}

/** List files removed before a moment, oldest first. */
export async function listRemovedFileIds(db: Db, before: Date, take: number): Promise<string[]> {
  const where = { state: 'REMOVED', removedAt: { lt: before } };
  const rows = await db.storedFile.findMany({
    where,
    select: { id: true },
    orderBy: { createdAt: 'asc' },
    take,
  });
  return rows.map(({ id }) => id);
}

/** List uncommitted files started before a moment, oldest first. */
export async function listAbandonedFileIds(db: Db, before: Date, take: number): Promise<string[]> {
  const where = { state: 'WRITING', createdAt: { lt: before } };
  const rows = await db.storedFile.findMany({
    where,
    select: { id: true },
    orderBy: { createdAt: 'asc' },
    take,
  });
  return rows.map(({ id }) => id);
}
