import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Database } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { endDocumentShare } from './share.repository.ts';

/** End a share link with the downloads that it opened. A repeat changes nothing. @throws NOT_FOUND */
export function endOwnDocumentShare(
  database: Database,
  context: RequestContext,
  share: { id: string; documentId: string; accountId: string },
): Promise<void> {
  return database.transaction(async (tx) => {
    const isEnded = await endDocumentShare(tx, share);
    if (isEnded === false) throw new ServiceError('NOT_FOUND');
    if (isEnded) await recordAuditEntry(tx, context, { resourceId: share.documentId });
  });
}
