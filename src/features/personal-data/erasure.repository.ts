import type { Db, Tx } from '../../platform/database.ts';
import type { ErasureRow } from '../../platform/personal-data.ts';
import { executeSql, querySql } from '../../platform/sql.ts';
import { generateId } from '../../shared/ids.ts';

export interface ErasedFileRow {
  folder: string;
  name: string;
}

const ERASURE_COLUMNS = {
  id: true,
  userId: true,
  auditReference: true,
  scanCursorAt: true,
  scanCursorId: true,
} as const;

/** Insert an erasure, and delete the account's reference in the audit trail. */
export async function startErasure(tx: Tx, userId: string): Promise<ErasureRow> {
  const auditActor = await tx.auditActor.findUnique({ where: { userId } });
  await tx.auditActor.deleteMany({ where: { userId } });
  return tx.erasure.create({
    data: { id: generateId(), userId, auditReference: auditActor?.reference ?? null },
    select: ERASURE_COLUMNS,
  });
}

/** Lock an unfinished erasure, so that one worker at a time continues it; null if it is finished or absent. */
export async function lockErasure(tx: Tx, id: string): Promise<ErasureRow | null> {
  await querySql(tx)`SELECT FROM erasures WHERE id = ${id} FOR UPDATE`;
  return tx.erasure.findFirst({ where: { id, finishedAt: null }, select: ERASURE_COLUMNS });
}

/** Find the user of an unfinished erasure; null if it is finished or absent. */
export async function findUserIdOfUnfinishedErasure(db: Db, id: string): Promise<string | null> {
  const row = await db.erasure.findFirst({ where: { id, finishedAt: null }, select: { userId: true } });
  return row?.userId ?? null;
}

/** Mark an erasure as finished, and clear its audit reference and cursor. */
export async function finishErasure(tx: Tx, id: string): Promise<void> {
  await tx.erasure.update({
    where: { id },
    data: { auditReference: null, scanCursorAt: null, scanCursorId: null, finishedAt: new Date() },
    select: { id: true },
  });
}

/** List ids of unfinished erasures, ascending. */
export async function listUnfinishedErasureIds(db: Db, afterId: string, take: number): Promise<string[]> {
  const where = { finishedAt: null, id: { gt: afterId } };
  const rows = await db.erasure.findMany({ where, select: { id: true }, orderBy: { id: 'asc' }, take });
  return rows.map(({ id }) => id);
}

/** Record a file for removal, if it is not recorded yet. */
export async function insertErasedFileRow(tx: Tx, erasureId: string, file: ErasedFileRow): Promise<void> {
  await tx.erasedFile.createMany({ data: [{ erasureId, ...file }], skipDuplicates: true });
}

/** List files that are still to be removed. */
export async function listErasedFileRows(db: Db, erasureId: string, take: number): Promise<ErasedFileRow[]> {
  return db.erasedFile.findMany({ where: { erasureId }, select: { folder: true, name: true }, take });
}

/** Delete the records of removed files. */
export async function deleteErasedFileRows(
  db: Db,
  erasureId: string,
  files: readonly ErasedFileRow[],
): Promise<void> {
  await executeSql(db)`
    DELETE FROM erased_files AS file
    USING unnest(${files.map(({ folder }) => folder)}::text[], ${files.map(({ name }) => name)}::text[]) AS gone (folder, name)
    WHERE file.erasure_id = ${erasureId} AND file.folder = gone.folder AND file.name = gone.name`;
}
