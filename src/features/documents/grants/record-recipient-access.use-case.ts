import { tryConsumeAttempt } from '../../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { DAY_SECONDS } from '../../../shared/durations.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { describeUserAgent } from '../../scans/index.ts';
import { insertReceivedDocumentAccess, type ReceivedDocumentRow } from './grant.repository.ts';
import type { DocumentGrantServices } from './grant-services.ts';

/** Notify the owner at most once a day. @throws NOT_FOUND if the grant was revoked */
export async function recordReceivedDocumentAccess(
  services: DocumentGrantServices,
  context: RequestContext,
  received: ReceivedDocumentRow,
  readerId: string,
): Promise<void> {
  const { id, documentId, accountId, title, version } = received;
  const access = { readerId, versionNumber: version, agent: describeUserAgent(context.userAgent) };
  await services.database.transaction(async (tx) => {
    if (!(await insertReceivedDocumentAccess(tx, received, access))) throw new ServiceError('NOT_FOUND');
    await recordAuditEntry(tx, context, { resourceId: documentId });
    const daily = { key: `document-given-read:${id}`, allowed: 1, windowSeconds: DAY_SECONDS };
    if (await tryConsumeAttempt(tx, daily))
      await services.events.publish(tx, 'document.opened', { accountId, documentId, title });
  });
}
