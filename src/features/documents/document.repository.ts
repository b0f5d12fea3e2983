import type { Db, Tx } from '../../platform/database.ts';

/** A document as the table holds it. */
export interface DocumentRow {
  id: string;
  ownerId: string;
  title: string;
  kind: string;
  note: Uint8Array | null;
  expiresOn: Date | null;
  /** Number of the newest version. */
  currentVersion: number;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** What is stored of a document beside its file. */
export interface DocumentFields {
  title: string;
  kind: string;
  note: Uint8Array<ArrayBuffer> | null;
  expiresOn: Date | null;
}

/** Somebody's document; null when it is absent or somebody else's. */
export async function findOwnDocument(db: Db, ownerId: string, id: string): Promise<DocumentRow | null> {
  return db.document.findFirst({ where: { id, ownerId } });
}

/** The same, and until the end of the transaction nobody else changes or deletes it. */
export async function lockOwnDocument(tx: Tx, ownerId: string, id: string): Promise<DocumentRow | null> {
  await tx.$queryRaw`SELECT FROM documents WHERE id = ${id} AND owner_id = ${ownerId} FOR UPDATE`;
  return findOwnDocument(tx, ownerId, id);
}

/** Adds a document, whose first version follows in the same transaction. */
export async function insertDocument(
  tx: Tx,
  document: { id: string; ownerId: string } & DocumentFields,
): Promise<DocumentRow> {
  return tx.document.create({ data: document });
}

/** Changes a document that this transaction has locked. */
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

/** Deletes a document that this transaction has locked, with what belongs to it but the files of its versions. */
export async function deleteDocument(tx: Tx, id: string): Promise<void> {
  await tx.document.delete({ where: { id }, select: { id: true } });
}

/** How many links open a document, and how many people it was given to. */
export async function countDocumentRecipients(db: Db, documentId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT ((SELECT count(*) FROM document_shares
             WHERE document_id = ${documentId} AND ended_at IS NULL AND (expires_at IS NULL OR expires_at > now())
               AND (max_views IS NULL OR views < max_views))
          + (SELECT count(*) FROM document_grants WHERE document_id = ${documentId}))::int AS count`;
  return row?.count ?? 0;
}
