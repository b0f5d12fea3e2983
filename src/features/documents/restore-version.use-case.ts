import type { Static } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { updateDocument } from './document.repository.ts';
import type { DocumentServices } from './document-services.ts';
import { findDocumentVersion } from './document-version.repository.ts';
import type { DocumentSchema } from './documents.schemas.ts';
import { loadDocumentView, type OwnedDocumentKey, requireAndLockOwnDocument } from './read-document.ts';

/** Make a version the current one of its document. @throws NOT_FOUND, PRECONDITION_FAILED, PLAN_LIMIT_REACHED if it is read-only */
export function restoreDocumentVersion(
  services: DocumentServices,
  context: RequestContext,
  key: OwnedDocumentKey,
  number: number,
  ifMatch: string | undefined,
): Promise<Static<typeof DocumentSchema>> {
  const { database, isReadOnly, rejectReadOnlyChange } = services;
  return database.transaction(async (tx) => {
    const row = await requireAndLockOwnDocument(tx, key);
    assertIfMatch(ifMatch, row.version);
    if (!(await findDocumentVersion(tx, row, number))) throw new ServiceError('NOT_FOUND');
    if (await isReadOnly(tx, 'documents', row)) await rejectReadOnlyChange(tx, 'documents', row.accountId);
    const isChanged = row.currentVersion !== number;
    const after = isChanged ? await updateDocument(tx, row, { currentVersion: number }) : row;
    await recordAuditEntry(tx, context, { resourceId: row.id });
    return loadDocumentView(services, tx, after);
  });
}
