import type { Db, Tx } from '../../platform/database.ts';

/** CLEAN: nothing was found. WAITING: nobody reads it until it was checked. NOT_CHECKED: nothing checks, or not files of its size. */
export type MalwareCheckStatus = 'CLEAN' | 'WAITING' | 'NOT_CHECKED';

/** A version of a document as the table holds it. */
export interface DocumentVersionRow {
  id: string;
  documentId: string;
  ownerId: string;
  number: number;
  fileId: string;
  fileName: Uint8Array;
  contentType: string;
  /** Bytes of its content. */
  size: number;
  malwareCheck: MalwareCheckStatus;
  createdAt: Date;
}

/** The newest version of a document: what is read of it. */
export async function findNewestDocumentVersion(
  db: Db,
  documentId: string,
): Promise<DocumentVersionRow | null> {
  return toDocumentVersionRow(
    await db.documentVersion.findFirst({ where: { documentId }, orderBy: { number: 'desc' } }),
  );
}

/** A version of a document by its number; null where there is none, or none any more. */
export async function findDocumentVersion(
  db: Db,
  documentId: string,
  number: number,
): Promise<DocumentVersionRow | null> {
  return toDocumentVersionRow(await db.documentVersion.findFirst({ where: { documentId, number } }));
}

/** A page of the versions of a document, newest first, and how many there are. */
export async function listDocumentVersions(
  db: Db,
  documentId: string,
  page: { skip?: number; take?: number } = {},
): Promise<{ rows: DocumentVersionRow[]; total: number }> {
  const where = { documentId };
  const [rows, total] = await Promise.all([
    db.documentVersion.findMany({ where, orderBy: { number: 'desc' }, ...page }),
    countDocumentVersions(db, documentId),
  ]);
  return { rows: rows.flatMap((row) => toDocumentVersionRow(row) ?? []), total };
}

/** How many versions a document has. */
export async function countDocumentVersions(db: Db, documentId: string): Promise<number> {
  return db.documentVersion.count({ where: { documentId } });
}

/** Adds a version to a document that this transaction has locked or made. */
export async function insertDocumentVersion(
  tx: Tx,
  version: Omit<DocumentVersionRow, 'createdAt' | 'fileName'> & {
    fileName: Uint8Array<ArrayBuffer>;
  },
): Promise<DocumentVersionRow> {
  const { size, malwareCheck } = version;
  const checkedAt = malwareCheck === 'CLEAN' ? new Date() : null;
  const data = { ...version, size: BigInt(size), checkedAt };
  return { ...(await tx.documentVersion.create({ data })), size, malwareCheck };
}

/** The version that waits longest to be checked, of those after a place; null where there is none. */
export async function findUncheckedVersion(
  db: Db,
  after: Pick<DocumentVersionRow, 'id' | 'createdAt'> | null,
): Promise<DocumentVersionRow | null> {
  const { id = '', createdAt = new Date(0) } = after ?? {};
  const further = [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: id } }];
  return toDocumentVersionRow(
    await db.documentVersion.findFirst({
      where: { malwareCheck: 'WAITING', OR: further },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    }),
  );
}

/** Notes what came of the check of a version; false where it waits no longer. */
export async function updateMalwareCheck(
  tx: Tx,
  id: string,
  malwareCheck: Exclude<MalwareCheckStatus, 'WAITING'>,
): Promise<boolean> {
  const data = { malwareCheck, checkedAt: malwareCheck === 'CLEAN' ? new Date() : null };
  const { count } = await tx.documentVersion.updateMany({ where: { id, malwareCheck: 'WAITING' }, data });
  return count === 1;
}

/** Deletes a version; its file is left to whoever calls. */
export async function deleteDocumentVersion(tx: Tx, id: string): Promise<void> {
  await tx.documentVersion.delete({ where: { id }, select: { id: true } });
}

/** The files of all versions of a document. */
export async function listDocumentFileIds(db: Db, documentId: string): Promise<string[]> {
  const rows = await db.documentVersion.findMany({ where: { documentId }, select: { fileId: true } });
  return rows.map(({ fileId }) => fileId);
}

function toDocumentVersionRow<Row extends { size: bigint; malwareCheck: string }>(
  row: Row | null,
): (Omit<Row, 'size' | 'malwareCheck'> & { size: number; malwareCheck: MalwareCheckStatus }) | null {
  return row && { ...row, size: Number(row.size), malwareCheck: row.malwareCheck as MalwareCheckStatus };
}
