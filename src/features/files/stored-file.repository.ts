import type { Db, Tx } from '../../platform/database.ts';

/** A private file that can be opened. */
export interface StoredFile {
  id: string;
  ownerId: string;
  name: string;
  fileKey: Uint8Array;
  /** Bytes of the content. */
  size: number;
}

/** Notes a file that is going to be written. */
export async function insertStoredFile(
  db: Db,
  file: { id: string; ownerId: string; name: string; fileKey: Uint8Array<ArrayBuffer> },
): Promise<void> {
  await db.storedFile.create({ data: file, select: { id: true } });
}

/** Marks a written file as stored; false where it is not there to be stored any more. */
export async function markFileStored(tx: Tx, id: string, size: number): Promise<boolean> {
  const data = { state: 'STORED', size: BigInt(size), storedAt: new Date() };
  const { count } = await tx.storedFile.updateMany({ where: { id, state: 'WRITING' }, data });
  return count === 1;
}

/** Marks files as removed, whose keys are gone with that; answers the ids of those that were not removed already. */
export async function markFilesRemoved(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    UPDATE stored_files SET state = 'REMOVED', file_key = NULL, removed_at = now()
    WHERE id = ANY(${[...ids]}::text[]) AND state <> 'REMOVED' RETURNING id`;
  return rows.map(({ id }) => id);
}

/** The same for a file that nothing came to name; one that something names by now stays. */
export async function markUnstoredFileRemoved(tx: Tx, id: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    UPDATE stored_files SET state = 'REMOVED', file_key = NULL, removed_at = now()
    WHERE id = ${id} AND state = 'WRITING' RETURNING id`;
  return rows.map((row) => row.id);
}

/** Marks up to `limit` of what a person has stored as removed; answers how many. */
export async function markOwnerFilesRemoved(tx: Tx, ownerId: string, limit: number): Promise<number> {
  return tx.$executeRaw`
    UPDATE stored_files SET state = 'REMOVED', file_key = NULL, removed_at = now()
    WHERE id IN (SELECT id FROM stored_files WHERE owner_id = ${ownerId} AND state <> 'REMOVED' LIMIT ${limit})`;
}

/** Files of a person that are to be removed. */
export async function listRemovedFilesOfOwner(db: Db, ownerId: string, take: number): Promise<string[]> {
  const where = { ownerId, state: 'REMOVED' };
  const rows = await db.storedFile.findMany({ where, select: { id: true }, take });
  return rows.map(({ id }) => id);
}

/** A stored file; null where there is none, or none any more. */
export async function findStoredFile(db: Db, id: string): Promise<StoredFile | null> {
  const row = await db.storedFile.findFirst({ where: { id, state: 'STORED' } });
  if (!row?.fileKey) return null;
  const { ownerId, name, fileKey, size } = row;
  return { id, ownerId, name, fileKey, size: Number(size) };
}

/** The name of a file that is to be removed; null where it is not. */
export async function findRemovedFileName(db: Db, id: string): Promise<string | null> {
  const row = await db.storedFile.findFirst({ where: { id, state: 'REMOVED' }, select: { name: true } });
  return row?.name ?? null;
}

/** Forgets a removed file, once its bytes are gone. */
export async function deleteRemovedFileRow(db: Db, id: string): Promise<void> {
  await db.storedFile.deleteMany({ where: { id, state: 'REMOVED' } });
}

/** Removed files whose removal began before a moment, the oldest first. */
export async function listRemovedFiles(db: Db, before: Date, take: number): Promise<string[]> {
  const where = { state: 'REMOVED', removedAt: { lt: before } };
  const rows = await db.storedFile.findMany({
    where,
    select: { id: true },
    orderBy: { createdAt: 'asc' },
    take,
  });
  return rows.map(({ id }) => id);
}

/** Files whose writing was begun before a moment and that nothing came to name, the oldest first. */
export async function listAbandonedFiles(db: Db, before: Date, take: number): Promise<string[]> {
  const where = { state: 'WRITING', createdAt: { lt: before } };
  const rows = await db.storedFile.findMany({
    where,
    select: { id: true },
    orderBy: { createdAt: 'asc' },
    take,
  });
  return rows.map(({ id }) => id);
}
