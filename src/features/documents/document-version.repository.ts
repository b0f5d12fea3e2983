import type { Db, Tx } from '../../platform/database.ts';

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
  malwareCheck: string;
  createdAt: Date;
}

/** The newest version of a document: what is read of it. */
export async function findNewestVersion(db: Db, documentId: string): Promise<DocumentVersionRow | null> {
  return asRow(await db.documentVersion.findFirst({ where: { documentId }, orderBy: { number: 'desc' } }));
}

/** A version of a document by its number; null where there is none, or none any more. */
export async function findVersion(
  db: Db,
  documentId: string,
  number: number,
): Promise<DocumentVersionRow | null> {
  return asRow(await db.documentVersion.findFirst({ where: { documentId, number } }));
}

/** A page of the versions of a document, newest first, and how many there are. */
export async function listVersions(
  db: Db,
  documentId: string,
  page: { skip?: number; take?: number } = {},
): Promise<{ rows: DocumentVersionRow[]; total: number }> {
  const where = { documentId };
  const [rows, total] = await Promise.all([
    db.documentVersion.findMany({ where, orderBy: { number: 'desc' }, ...page }),
    countVersions(db, documentId),
  ]);
  return { rows: rows.flatMap((row) => asRow(row) ?? []), total };
}

/** How many versions a document has. */
export async function countVersions(db: Db, documentId: string): Promise<number> {
  return db.documentVersion.count({ where: { documentId } });
}

/** Adds a version to a document that this transaction has locked or made. */
export async function insertVersion(
  tx: Tx,
  version: Omit<DocumentVersionRow, 'malwareCheck' | 'createdAt' | 'fileName'> & {
    fileName: Uint8Array<ArrayBuffer>;
  },
): Promise<DocumentVersionRow> {
  const size = BigInt(version.size);
  return { ...(await tx.documentVersion.create({ data: { ...version, size } })), size: version.size };
}

/** Deletes a version; its file is left to whoever calls. */
export async function deleteVersion(tx: Tx, id: string): Promise<void> {
  await tx.documentVersion.delete({ where: { id }, select: { id: true } });
}

/** The files of all versions of a document. */
export async function listFileIds(db: Db, documentId: string): Promise<string[]> {
  const rows = await db.documentVersion.findMany({ where: { documentId }, select: { fileId: true } });
  return rows.map(({ fileId }) => fileId);
}

function asRow<Row extends { size: bigint }>(row: Row | null): (Omit<Row, 'size'> & { size: number }) | null {
  return row && { ...row, size: Number(row.size) };
}
