import type { Static } from 'typebox';
import { recordAction, recordActionOnEach } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { CurrentUser } from '../../platform/current-user.ts';
import type { Database, Db, Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { isId } from '../../shared/ids.ts';
import { countShares, type DocumentRow, findOwnDocument, lockOwnDocument } from './document.repository.ts';
import { documentView } from './document.view.ts';
import { type DocumentListFilter, listDocuments } from './document-list.repository.ts';
import type { DocumentServices } from './document-services.ts';
import { countVersions, findNewestVersion } from './document-version.repository.ts';
import type { Document } from './documents.schemas.ts';

/** A document by its id, as one of its owner's. */
export interface OwnedDocument {
  ownerId: string;
  id: string;
}

/** The document, when it is the owner's. Throws NOT_FOUND. */
export async function ownDocument(db: Db, { ownerId, id }: OwnedDocument): Promise<DocumentRow> {
  // An upload asks before its path was validated.
  const row = isId(id) ? await findOwnDocument(db, ownerId, id) : null;
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

/** The same, and until the end of the transaction nobody else changes it. Throws NOT_FOUND. */
export async function lockDocument(tx: Tx, { ownerId, id }: OwnedDocument): Promise<DocumentRow> {
  const row = await lockOwnDocument(tx, ownerId, id);
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

/** What its owner sees of a document. Throws DATA_INTEGRITY. */
export async function viewOf(
  { vault, isReadOnly }: Pick<DocumentServices, 'vault' | 'isReadOnly'>,
  db: Db,
  row: DocumentRow,
): Promise<Static<typeof Document>> {
  const newest = await findNewestVersion(db, row.id);
  if (!newest) throw new ServiceError('NOT_FOUND');
  return documentView(vault, row, {
    newest,
    versionCount: await countVersions(db, row.id),
    shareCount: await countShares(db, row.id),
    readOnly: await isReadOnly(db, 'documents', row),
  });
}

/** The entry of an answer that shows what is noted of a document and changes nothing; none but for health documents. */
export async function recordSeen(
  tx: Tx,
  caller: Caller,
  { id, kind }: Pick<DocumentRow, 'id' | 'kind'>,
): Promise<void> {
  if (kind === 'HEALTH') await recordAction(tx, caller, { action: 'HEALTH_DOCUMENT_SEEN', resourceId: id });
}

/**
 * A page of a person's documents, and how many there are. In enterprise mode every health document on it is an entry of the
 * audit trail of its own, in the same transaction.
 */
export async function listOwnDocuments(
  database: Database,
  caller: Caller,
  user: CurrentUser,
  filter: DocumentListFilter,
): ReturnType<typeof listDocuments> {
  if (!user.isEnterprise) return listDocuments(database.client, user.id, filter);
  return database.transaction(async (tx) => {
    const page = await listDocuments(tx, user.id, filter);
    const health = page.rows.filter(({ kind }) => kind === 'HEALTH').map(({ id }) => id);
    await recordActionOnEach(tx, caller, health, { action: 'HEALTH_DOCUMENT_LISTED' });
    return page;
  });
}
