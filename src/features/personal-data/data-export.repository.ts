import type { Db, Tx } from '../../platform/database.ts';
import type { ErasureRow } from '../../platform/personal-data.ts';
import { generateId } from '../../shared/ids.ts';

export type DataExportRow = NonNullable<Awaited<ReturnType<typeof findDataExport>>>;

const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

/** Find an export of a user; null if it is absent, expired or of another user. */
export async function findDataExport(db: Db, userId: string, id: string) {
  return db.dataExport.findFirst({ where: { id, userId, ...whereNotExpired() } });
}

/** List a page of a user's exports that have not expired, newest first, with their total. */
export async function listDataExports(db: Db, userId: string, page: { skip: number; take: number }) {
  const where = { userId, ...whereNotExpired() };
  const [rows, total] = await Promise.all([
    db.dataExport.findMany({ where, orderBy: NEWEST_FIRST, ...page }),
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
  const inserted = await tx.$executeRaw`
    INSERT INTO data_exports (id, user_id, recipient) VALUES (${id}, ${userId}, ${recipient})
    ON CONFLICT (user_id) WHERE status = 'WAITING' DO NOTHING`;
  return inserted === 1 ? tx.dataExport.findUniqueOrThrow({ where: { id } }) : null;
}

/** Count an attempt for a waiting export and return the export; null if it is not waiting. */
export async function claimDataExport(db: Db, id: string): Promise<DataExportRow | null> {
  const where = { id, status: 'WAITING' };
  const { count } = await db.dataExport.updateMany({ where, data: { attempts: { increment: 1 } } });
  return count === 1 ? db.dataExport.findUnique({ where: { id } }) : null;
}

/** Mark a waiting export as ready; false if it is not waiting. */
export async function markDataExportReady(
  tx: Tx,
  id: string,
  ready: { file: string; fileKey: Uint8Array<ArrayBuffer> | null; size: number; expiresAt: Date },
): Promise<boolean> {
  const { count } = await tx.dataExport.updateMany({
    where: { id, status: 'WAITING' },
    data: { ...ready, status: 'READY', readyAt: new Date() },
  });
  return count === 1;
}

/** Mark a waiting export as failed; false if it is not waiting. */
export async function markDataExportFailed(tx: Tx, id: string, expiresAt: Date): Promise<boolean> {
  const where = { id, status: 'WAITING' };
  const { count } = await tx.dataExport.updateMany({ where, data: { status: 'FAILED', expiresAt } });
  return count === 1;
}

export async function isDataExportFileReferenced(db: Db, file: string): Promise<boolean> {
  return (await db.dataExport.count({ where: { file } })) > 0;
}

export async function listExpiredDataExports(db: Db, take: number) {
  const where = { expiresAt: { lte: new Date() } };
  return db.dataExport.findMany({ where, select: { id: true, userId: true, file: true }, take });
}

/** Delete an export; false if it is already deleted. */
export async function deleteDataExport(tx: Tx, id: string): Promise<boolean> {
  return (await tx.dataExport.deleteMany({ where: { id } })).count === 1;
}

/** Delete all exports of an erased account, and record their files for removal. */
export async function eraseDataExports(tx: Tx, { id, userId }: ErasureRow): Promise<true> {
  await tx.$executeRaw`
    WITH gone AS (DELETE FROM data_exports WHERE user_id = ${userId} RETURNING file)
    INSERT INTO erased_files (erasure_id, folder, name)
    SELECT ${id}, 'exports', file FROM gone WHERE file IS NOT NULL ON CONFLICT DO NOTHING`;
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

function whereNotExpired() {
  return { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
}
