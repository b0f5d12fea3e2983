import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import {
  type DocumentRow,
  deleteDocument,
  lockOwnOrDeletedDocument,
  softDeleteDocument,
  updateDocument,
} from './document.repository.ts';
import type { DocumentServices } from './document-services.ts';
import {
  deleteDocumentVersion,
  findDocumentVersion,
  listDocumentFileIds,
} from './document-version.repository.ts';
import { type OwnedDocumentKey, requireAndLockOwnDocument } from './read-document.ts';

type Services = Pick<DocumentServices, 'database' | 'files'>;

/** Delete a document; it can be restored with its versions, links and grants. @throws NOT_FOUND, PRECONDITION_FAILED */
export function deleteOwnDocument(
  { database }: Pick<Services, 'database'>,
  context: RequestContext,
  key: OwnedDocumentKey,
  ifMatch: string | undefined,
): Promise<void> {
  return database.transaction(async (tx) => {
    const row = await requireAndLockOwnDocument(tx, key);
    assertIfMatch(ifMatch, row.version);
    await recordAuditEntry(tx, context, { resourceId: row.id });
    await softDeleteDocument(tx, row);
  });
}

/** Delete a document for good with its versions, links and grants, also one that is deleted. @throws NOT_FOUND, PRECONDITION_FAILED */
export function purgeOwnDocument(
  { database, files }: Services,
  context: RequestContext,
  { accountId, id }: OwnedDocumentKey,
  ifMatch: string | undefined,
): Promise<void> {
  return database.transaction(async (tx) => {
    const row = await lockOwnOrDeletedDocument(tx, accountId, id);
    if (!row) throw new ServiceError('NOT_FOUND');
    assertIfMatch(ifMatch, row.version);
    await recordAuditEntry(tx, context, { action: 'DOCUMENT_PURGED', resourceId: id });
    await removeDocument({ files }, tx, row);
  });
}

/** Lock the document first. */
export async function removeDocument(
  { files }: Pick<Services, 'files'>,
  tx: Tx,
  row: Pick<DocumentRow, 'id' | 'accountId' | 'deletedAt'>,
): Promise<void> {
  const fileIds = await listDocumentFileIds(tx, row);
  await deleteDocument(tx, row);
  await files.remove(tx, fileIds);
}

/**
 * Delete a version of a document that is not its current one.
 * @returns the id of the version
 * @throws NOT_FOUND, CURRENT_VERSION_NOT_DELETABLE
 */
export function deleteOwnDocumentVersion(
  { database, files }: Services,
  context: RequestContext,
  key: OwnedDocumentKey,
  number: number,
): Promise<string> {
  return database.transaction(async (tx) => {
    const document = await requireAndLockOwnDocument(tx, key);
    const version = await findDocumentVersion(tx, document, number);
    if (!version) throw new ServiceError('NOT_FOUND');
    if (version.number === document.currentVersion) throw new ServiceError('CURRENT_VERSION_NOT_DELETABLE');
    await deleteDocumentVersion(tx, version);
    await files.remove(tx, [version.fileId]);
    await updateDocument(tx, document, {});
    await recordAuditEntry(tx, context, { resourceId: document.id });
    return version.id;
  });
}
