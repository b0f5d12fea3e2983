import type { Db, Tx } from '../../platform/database.ts';
import type { ErasureRow } from '../../platform/personal-data.ts';
import { generateId } from '../../shared/ids.ts';

/** An export as the table holds it. */
export type DataExportRow = NonNullable<Awaited<ReturnType<typeof findExport>>>;

const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

/** An export of a person that has not ended; null when it is absent or somebody else's. */
export async function findExport(db: Db, userId: string, id: string) {
  return db.dataExport.findFirst({ where: { id, userId, ...whereNotExpired() } });
}

/** A page of a person's exports, newest first, and how many there are. */
export async function listExports(db: Db, userId: string, page: { skip: number; take: number }) {
  const where = { userId, ...whereNotExpired() };
  const [rows, total] = await Promise.all([
    db.dataExport.findMany({ where, orderBy: NEWEST_FIRST, ...page }),
    db.dataExport.count({ where }),
  ]);
  return { rows, total };
}

/** The newest export of a person for a key (null: for none of theirs) that waits or is ready. */
export async function findUsableExport(db: Db, userId: string, recipient: string | null) {
  const where = { userId, recipient, status: { not: 'FAILED' }, ...whereNotExpired() };
  return db.dataExport.findFirst({ where, orderBy: NEWEST_FIRST });
}

/** Adds an export that waits; null where one of the person's waits already. */
export async function insertExport(
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

/** An export that waits, with one more try noted; null where it is made, given up or erased. */
export async function claimExport(db: Db, id: string): Promise<DataExportRow | null> {
  const where = { id, status: 'WAITING' };
  const { count } = await db.dataExport.updateMany({ where, data: { attempts: { increment: 1 } } });
  return count === 1 ? db.dataExport.findUnique({ where: { id } }) : null;
}

/** Notes that the file of an export is whole; false where it does not wait any more. */
export async function markExportReady(
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

/** Gives an export up; false where it does not wait any more. */
export async function markExportFailed(tx: Tx, id: string, expiresAt: Date): Promise<boolean> {
  const where = { id, status: 'WAITING' };
  const { count } = await tx.dataExport.updateMany({ where, data: { status: 'FAILED', expiresAt } });
  return count === 1;
}

/** Whether a row names this file. */
export async function isExportFileReferenced(db: Db, file: string): Promise<boolean> {
  return (await db.dataExport.count({ where: { file } })) > 0;
}

/** Exports that have ended, some at a time. */
export async function listExpiredExports(db: Db, take: number) {
  const where = { expiresAt: { lte: new Date() } };
  return db.dataExport.findMany({ where, select: { id: true, userId: true, file: true }, take });
}

/** Removes an export; false when it is gone already. */
export async function deleteExport(tx: Tx, id: string): Promise<boolean> {
  return (await tx.dataExport.deleteMany({ where: { id } })).count === 1;
}

/** Delete all exports of an erased account, and note their files for removal. */
export async function eraseExports(tx: Tx, { id, userId }: ErasureRow): Promise<true> {
  await tx.$executeRaw`
    WITH gone AS (DELETE FROM data_exports WHERE user_id = ${userId} RETURNING file)
    INSERT INTO erased_files (erasure_id, folder, name)
    SELECT ${id}, 'exports', file FROM gone WHERE file IS NOT NULL ON CONFLICT DO NOTHING`;
  return true;
}

/** Exports that wait, by id, some at a time. */
export async function listWaitingExports(db: Db, afterId: string, take: number) {
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
