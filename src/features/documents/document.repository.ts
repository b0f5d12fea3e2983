import type { Db, Tx } from '../../platform/database.ts';
import { insertDeletion, removeDeletion } from '../../platform/deletion.repository.ts';
import { querySql } from '../../platform/sql.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { Metadata } from '../../shared/metadata.schemas.ts';

export interface DocumentRow {
  id: string;
  accountId: string;
  title: string;
  kind: string;
  externalId: string | null;
  metadata: unknown;
  note: Uint8Array | null;
  expiresOn: Date | null;
  currentVersion: number;
  lastDeletedVersion: number;
  version: number;
  deletedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface DocumentFields {
  title: string;
  kind: string;
  externalId: string | null;
  metadata: Metadata;
  note: Uint8Array<ArrayBuffer> | null;
  expiresOn: Date | null;
}

/** Not a deleted one. */
export async function findOwnDocument(db: Db, accountId: string, id: string): Promise<DocumentRow | null> {
  return db.document.findFirst({ where: { id, accountId, deletedAt: null } });
}

/** Not a deleted one. */
export async function lockOwnDocument(tx: Tx, accountId: string, id: string): Promise<DocumentRow | null> {
  const row = await lockOwnOrDeletedDocument(tx, accountId, id);
  return row?.deletedAt === null ? row : null;
}

export async function lockOwnOrDeletedDocument(
  tx: Tx,
  accountId: string,
  id: string,
): Promise<(DocumentRow & { deletedExternalId: string | null }) | null> {
  await querySql(tx)`SELECT FROM documents WHERE id = ${id} AND account_id = ${accountId} FOR UPDATE`;
  return tx.document.findFirst({ where: { id, accountId } });
}

/** @throws EXTERNAL_ID_TAKEN if another document of the owner has the id */
export async function assertDocumentExternalIdFree(
  db: Db,
  { id, accountId, externalId }: { id: string; accountId: string; externalId: string | null | undefined },
): Promise<void> {
  if (!externalId) return;
  const count = await db.document.count({ where: { accountId, externalId, id: { not: id } } });
  if (count > 0) throw new ServiceError('EXTERNAL_ID_TAKEN');
}

/** The first version must follow in the same transaction. */
export async function insertDocument(
  tx: Tx,
  document: { id: string; accountId: string } & DocumentFields,
): Promise<DocumentRow> {
  return tx.document.create({ data: document });
}

/** Lock the document first. */
export async function updateDocument(
  tx: Tx,
  { id, accountId }: Pick<DocumentRow, 'id' | 'accountId'>,
  fields: Partial<DocumentFields> & { currentVersion?: number },
): Promise<DocumentRow> {
  return tx.document.update({
    where: { id, accountId },
    data: { ...fields, version: { increment: 1 }, updatedAt: new Date() },
  });
}

/** Lock the document first. */
export async function softDeleteDocument(tx: Tx, { id, accountId, externalId }: DocumentRow): Promise<void> {
  const deletedAt = new Date();
  const data = { deletedAt, updatedAt: deletedAt, externalId: null, deletedExternalId: externalId };
  await tx.document.update({ where: { id, accountId }, data: { ...data, version: { increment: 1 } } });
  await insertDeletion(tx, { accountId, type: 'DOCUMENT', id });
}

/** Lock the document first. */
export async function restoreDocument(
  tx: Tx,
  {
    id,
    accountId,
    deletedExternalId,
  }: Pick<DocumentRow, 'id' | 'accountId'> & { deletedExternalId: string | null },
): Promise<DocumentRow> {
  await removeDeletion(tx, { accountId, type: 'DOCUMENT', id });
  const data = { deletedAt: null, externalId: deletedExternalId, deletedExternalId: null };
  return tx.document.update({
    where: { id, accountId },
    data: { ...data, version: { increment: 1 }, updatedAt: new Date() },
  });
}

/** Lock the document first; the files of its versions stay. */
export async function deleteDocument(
  tx: Tx,
  { id, accountId, deletedAt }: Pick<DocumentRow, 'id' | 'accountId' | 'deletedAt'>,
): Promise<void> {
  await tx.document.delete({ where: { id, accountId }, select: { id: true } });
  if (deletedAt === null) await insertDeletion(tx, { accountId, type: 'DOCUMENT', id });
}

export type PurgeableDocument = Pick<DocumentRow, 'id' | 'accountId' | 'deletedAt'>;

/** The ones deleted first come first. */
export async function listPurgeableDocuments(
  db: Db,
  { before, after }: { before: Date; after: PurgeableDocument | null },
  take: number,
): Promise<PurgeableDocument[]> {
  const { id = '', deletedAt } = after ?? {};
  const afterCursor = deletedAt && { OR: [{ deletedAt: { gt: deletedAt } }, { deletedAt, id: { gt: id } }] };
  return db.document.findMany({
    where: { deletedAt: { lt: before }, ...afterCursor },
    select: { id: true, accountId: true, deletedAt: true },
    orderBy: [{ deletedAt: 'asc' }, { id: 'asc' }],
    take,
  });
}

export async function countActiveSharesAndGrants(
  db: Db,
  { id, accountId }: Pick<DocumentRow, 'id' | 'accountId'>,
): Promise<number> {
  const [row] = await querySql<{ count: number }>(db)`
    SELECT ((SELECT count(*) FROM document_shares
             WHERE account_id = ${accountId} AND document_id = ${id} AND ended_at IS NULL AND (expires_at IS NULL OR expires_at > now())
               AND (max_views IS NULL OR views < max_views))
          + (SELECT count(*) FROM document_grants WHERE account_id = ${accountId} AND document_id = ${id}))::int AS count`;
  return row?.count ?? 0;
}
