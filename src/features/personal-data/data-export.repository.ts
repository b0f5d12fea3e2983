import type { Db, Tx } from '../../platform/database.ts';
import { createAfterFilter } from '../../platform/list-order.repository.ts';
import type { ErasureRow } from '../../platform/personal-data.ts';
import { executeSql, querySql } from '../../platform/sql.ts';
import { generateId } from '../../shared/ids.ts';
import type { ListRange } from '../../shared/list-cursor.ts';

export type DataExportRow = NonNullable<Awaited<ReturnType<typeof findDataExport>>>;

const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

/** Find an export of a user; null if it is absent, expired or of another user. */
export async function findDataExport(db: Db, userId: string, id: string) {
  return db.dataExport.findFirst({ where: { id, userId, ...whereNotExpired() } });
}

/** List a page of a user's exports that have not expired, newest first, with their total. */
export async function listDataExports(db: Db, userId: string, { skip, take, after }: ListRange) {
  const where = { userId, ...whereNotExpired() };
  const [rows, total] = await Promise.all([
    db.dataExport.findMany({
      where: { ...where, ...createAfterFilter('createdAt', after) },
      orderBy: NEWEST_FIRST,
      skip,
      take,
    }),
    db.dataExport.count({ where }),
  ]);
  return { rows, total };
}

/** Find the newest waiting or ready export of a user for a recipient key; null for one without such a key. */
export async function findUsableDataExport(db: Db, userId: string, recipient: string | null) {
  const where = { userId, recipient, status: { not: 'FAILED' }, ...whereNotExpired() };
  return db.dataExport.findFirst({ where, orderBy: NEWEST_FIRST });
}

/** Insert a waiting export; null if another export of the user is waiting. */
export async function insertDataExport(
  tx: Tx,
  userId: string,
  recipient: string | null,
): Promise<DataExportRow | null> {
  const id = generateId();
  const inserted = await executeSql(tx)`
    INSERT INTO data_exports (id, user_id, recipient) VALUES (${id}, ${userId}, ${recipient})
    ON CONFLICT (user_id) WHERE status = 'WAITING' DO NOTHING`;
  return inserted === 1 ? tx.dataExport.findUniqueOrThrow({ where: { id } }) : null;
}

/** Count an attempt for a waiting export; null if it is not waiting. `fileId` is what an earlier attempt left. */
export async function claimDataExport(tx: Tx, id: string): Promise<DataExportRow | null> {
  const waiting = await lockWaitingDataExport(tx, id);
  if (!waiting) return null;
  const attempts = waiting.attempts + 1;
  await tx.dataExport.update({ where: { id }, data: { attempts, fileId: null }, select: { id: true } });
  return { ...waiting, attempts };
}

/** Check whether an attempt is still the last one of a waiting export. */
export async function isCurrentAttempt(
  db: Db,
  { id, attempts }: Pick<DataExportRow, 'id' | 'attempts'>,
): Promise<boolean> {
  return (await db.dataExport.count({ where: { id, attempts, status: 'WAITING' } })) === 1;
}

/** Record the file that an attempt begins to write; false if the attempt is not the last one. */
export async function referenceDataExportFile(
  tx: Tx,
  { id, attempts }: Pick<DataExportRow, 'id' | 'attempts'>,
  fileId: string,
): Promise<boolean> {
  const where = { id, attempts, status: 'WAITING' };
  return (await tx.dataExport.updateMany({ where, data: { fileId } })).count === 1;
}

/** Mark a waiting export as ready; false if it is not waiting for this file. */
export async function markDataExportReady(
  tx: Tx,
  { id, fileId }: { id: string; fileId: string },
  ready: { size: number; expiresAt: Date },
): Promise<boolean> {
  const { count } = await tx.dataExport.updateMany({
    where: { id, fileId, status: 'WAITING' },
    data: { ...ready, status: 'READY', readyAt: new Date() },
  });
  return count === 1;
}

/** Mark a waiting export as failed and return it as it was; null if it is not waiting. */
export async function markDataExportFailed(
  tx: Tx,
  id: string,
  expiresAt: Date,
): Promise<DataExportRow | null> {
  const waiting = await lockWaitingDataExport(tx, id);
  const data = { status: 'FAILED', fileId: null, expiresAt };
  if (waiting) await tx.dataExport.update({ where: { id }, data, select: { id: true } });
  return waiting;
}

/** Mark a ready export whose file is missing as failed; false if it has another file or none. */
export async function markDataExportFileMissing(
  tx: Tx,
  { id, fileId }: { id: string; fileId: string },
): Promise<boolean> {
  const data = { status: 'FAILED', fileId: null, size: null, readyAt: null };
  return (await tx.dataExport.updateMany({ where: { id, fileId, status: 'READY' }, data })).count === 1;
}

export async function listExpiredDataExports(db: Db, take: number) {
  const where = { expiresAt: { lte: new Date() } };
  return db.dataExport.findMany({ where, select: { id: true, userId: true, fileId: true }, take });
}

/** Delete an export; false if it is already deleted. */
export async function deleteDataExport(tx: Tx, id: string): Promise<boolean> {
  return (await tx.dataExport.deleteMany({ where: { id } })).count === 1;
}

/** Delete all exports of an erased account; their files are removed with all its private files. */
export async function eraseDataExports(tx: Tx, { userId }: ErasureRow): Promise<true> {
  await tx.dataExport.deleteMany({ where: { userId } });
  return true;
}

/** List waiting exports by ascending id. */
export async function listWaitingDataExports(db: Db, afterId: string, take: number) {
  return db.dataExport.findMany({
    where: { status: 'WAITING', id: { gt: afterId } },
    select: { id: true, userId: true },
    orderBy: { id: 'asc' },
    take,
  });
}

async function lockWaitingDataExport(tx: Tx, id: string): Promise<DataExportRow | null> {
  await querySql(tx)`SELECT FROM data_exports WHERE id = ${id} FOR UPDATE`;
  return tx.dataExport.findFirst({ where: { id, status: 'WAITING' } });
}

function whereNotExpired() {
  return { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
}
