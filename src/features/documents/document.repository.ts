import type { Db, Tx } from '../../platform/database.ts';
import { insertDeletion } from '../../platform/deletion.repository.ts';
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
  version: number;
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

export async function findOwnDocument(db: Db, accountId: string, id: string): Promise<DocumentRow | null> {
  return db.document.findFirst({ where: { id, accountId } });
}

export async function lockOwnDocument(tx: Tx, accountId: string, id: string): Promise<DocumentRow | null> {
  await querySql(tx)`SELECT FROM documents WHERE id = ${id} AND account_id = ${accountId} FOR UPDATE`;
  return findOwnDocument(tx, accountId, id);
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
  id: string,
  fields: Partial<DocumentFields> & { currentVersion?: number },
): Promise<DocumentRow> {
  return tx.document.update({
    where: { id },
    data: { ...fields, version: { increment: 1 }, updatedAt: new Date() },
  });
}

/** Lock the document first; the files of its versions stay. */
export async function deleteDocument(tx: Tx, id: string): Promise<void> {
  const { accountId } = await tx.document.delete({ where: { id }, select: { accountId: true } });
  await insertDeletion(tx, { accountId, type: 'DOCUMENT', id });
}

export async function countActiveSharesAndGrants(db: Db, documentId: string): Promise<number> {
  const [row] = await querySql<{ count: number }>(db)`
    SELECT ((SELECT count(*) FROM document_shares
             WHERE document_id = ${documentId} AND ended_at IS NULL AND (expires_at IS NULL OR expires_at > now())
               AND (max_views IS NULL OR views < max_views))
          + (SELECT count(*) FROM document_grants WHERE document_id = ${documentId}))::int AS count`;
  return row?.count ?? 0;
}
