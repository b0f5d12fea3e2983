import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Database } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { deleteDocumentGrant, deleteReceivedDocumentGrant } from './grant.repository.ts';

/** Revoke a grant as the owner of the document. @throws NOT_FOUND */
export function revokeDocumentGrant(
  database: Database,
  context: RequestContext,
  grant: { id: string; documentId: string; accountId: string },
): Promise<void> {
  return database.transaction(async (tx) => {
    if (!(await deleteDocumentGrant(tx, grant))) throw new ServiceError('NOT_FOUND');
    await recordAuditEntry(tx, context, { resourceId: grant.documentId });
  });
}

/** Decline a grant as its recipient. @throws NOT_FOUND */
export function declineDocumentGrant(
  database: Database,
  context: RequestContext,
  id: string,
  recipientHash: Buffer<ArrayBuffer>,
): Promise<void> {
  return database.transaction(async (tx) => {
    const documentId = await deleteReceivedDocumentGrant(tx, id, recipientHash);
    if (!documentId) throw new ServiceError('NOT_FOUND');
    await recordAuditEntry(tx, context, { resourceId: documentId });
  });
}
