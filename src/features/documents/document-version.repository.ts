import type { Db, Tx } from '../../platform/database.ts';
import type { ListRange } from '../../shared/list-cursor.ts';

/** WAITING: not readable until checked. NOT_CHECKED: no scanner, or the file is too large for it. */
export type MalwareCheckStatus = 'CLEAN' | 'WAITING' | 'NOT_CHECKED';

export interface DocumentVersionRow {
  id: string;
  documentId: string;
  accountId: string;
  number: number;
  fileId: string;
  fileName: Uint8Array;
  contentType: string;
  size: number;
  malwareCheck: MalwareCheckStatus;
  createdAt: Date;
}

type DocumentKey = { id: string; accountId: string };

/** The current one can be an earlier one. */
export async function findNewestDocumentVersion(
  db: Db,
  { id: documentId, accountId }: DocumentKey,
  { below }: { below?: number } = {},
): Promise<DocumentVersionRow | null> {
  const where = { accountId, documentId, ...(below !== undefined && { number: { lt: below } }) };
  return toDocumentVersionRow(await db.documentVersion.findFirst({ where, orderBy: { number: 'desc' } }));
}

export async function findDocumentVersion(
  db: Db,
  { id: documentId, accountId }: DocumentKey,
  number: number,
): Promise<DocumentVersionRow | null> {
  return toDocumentVersionRow(
    await db.documentVersion.findFirst({ where: { accountId, documentId, number } }),
  );
}

export async function listDocumentVersions(
  db: Db,
  document: DocumentKey,
  range?: ListRange,
): Promise<{ rows: DocumentVersionRow[]; total: number }> {
  const where = { accountId: document.accountId, documentId: document.id };
  const [rows, total] = await Promise.all([
    db.documentVersion.findMany({
      where: { ...where, ...(range?.after && { number: { lt: Number(range.after.key) } }) },
      orderBy: { number: 'desc' },
      ...(range && { skip: range.skip, take: range.take }),
    }),
    countDocumentVersions(db, document),
  ]);
  return { rows: rows.flatMap((row) => toDocumentVersionRow(row) ?? []), total };
}

export async function countDocumentVersions(
  db: Db,
  { id: documentId, accountId }: DocumentKey,
): Promise<number> {
  return db.documentVersion.count({ where: { accountId, documentId } });
}

/** Lock or create the document first. */
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

export async function findVersionAwaitingMalwareCheck(
  db: Db,
  after: Pick<DocumentVersionRow, 'id' | 'createdAt'> | null,
): Promise<DocumentVersionRow | null> {
  const { id = '', createdAt = new Date(0) } = after ?? {};
  const afterCursor = [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: id } }];
  return toDocumentVersionRow(
    await db.documentVersion.findFirst({
      where: { malwareCheck: 'WAITING', OR: afterCursor },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    }),
  );
}

/** False if the version no longer waits for a check. */
export async function saveMalwareCheckResult(
  tx: Tx,
  { id, accountId }: Pick<DocumentVersionRow, 'id' | 'accountId'>,
  malwareCheck: Exclude<MalwareCheckStatus, 'WAITING'>,
): Promise<boolean> {
  const data = { malwareCheck, checkedAt: malwareCheck === 'CLEAN' ? new Date() : null };
  const { count } = await tx.documentVersion.updateMany({
    where: { id, accountId, malwareCheck: 'WAITING' },
    data,
  });
  return count === 1;
}

/** Lock the document first. Its number is not given again; the file stays. */
export async function deleteDocumentVersion(
  tx: Tx,
  {
    id,
    documentId,
    accountId,
    number,
  }: Pick<DocumentVersionRow, 'id' | 'documentId' | 'accountId' | 'number'>,
): Promise<void> {
  await tx.documentVersion.delete({ where: { id, accountId }, select: { id: true } });
  await tx.document.updateMany({
    where: { id: documentId, accountId, lastDeletedVersion: { lt: number } },
    data: { lastDeletedVersion: number },
  });
}

export async function listDocumentFileIds(
  db: Db,
  { id: documentId, accountId }: DocumentKey,
): Promise<string[]> {
  const rows = await db.documentVersion.findMany({
    where: { accountId, documentId },
    select: { fileId: true },
  });
  return rows.map(({ fileId }) => fileId);
}

function toDocumentVersionRow<Row extends { size: bigint; malwareCheck: string }>(
  row: Row | null,
): (Omit<Row, 'size' | 'malwareCheck'> & { size: number; malwareCheck: MalwareCheckStatus }) | null {
  return row && { ...row, size: Number(row.size), malwareCheck: row.malwareCheck as MalwareCheckStatus };
}
