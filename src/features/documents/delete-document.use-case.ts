import { recordAuditEntry } from '../../platform/audit.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { deleteDocument, updateDocument } from './document.repository.ts';
import type { DocumentServices } from './document-services.ts';
import {
  deleteDocumentVersion,
  findDocumentVersion,
  listDocumentFileIds,
} from './document-version.repository.ts';
import { type OwnedDocumentKey, requireAndLockOwnDocument } from './read-document.ts';

type Services = Pick<DocumentServices, 'database' | 'files'>;

/** Delete a document with its versions, links and grants. @throws NOT_FOUND, PRECONDITION_FAILED */
export function deleteOwnDocument(
  { database, files }: Services,
  context: RequestContext,
  key: OwnedDocumentKey,
  ifMatch: string | undefined,
): Promise<void> {
  return database.transaction(async (tx) => {
    const { id, version } = await requireAndLockOwnDocument(tx, key);
    assertIfMatch(ifMatch, version);
    const fileIds = await listDocumentFileIds(tx, id);
    await recordAuditEntry(tx, context, { resourceId: id });
    await deleteDocument(tx, id);
    await files.remove(tx, fileIds);
  });
}

/**
 * Delete a version of a document that is not its current one.
 * @returns the id of the version
 * @throws NOT_FOUND, CURRENT_VERSION_NOT_DELETABLE
 */
export function deleteEarlierDocumentVersion(
  { database, files }: Services,
  context: RequestContext,
  key: OwnedDocumentKey,
  number: number,
): Promise<string> {
  return database.transaction(async (tx) => {
    const document = await requireAndLockOwnDocument(tx, key);
    const version = await findDocumentVersion(tx, document.id, number);
    if (!version) throw new ServiceError('NOT_FOUND');
    if (version.number === document.currentVersion) throw new ServiceError('CURRENT_VERSION_NOT_DELETABLE');
    await deleteDocumentVersion(tx, version.id);
    await files.remove(tx, [version.fileId]);
    await updateDocument(tx, document.id, {});
    await recordAuditEntry(tx, context, { resourceId: document.id });
    return version.id;
  });
}
