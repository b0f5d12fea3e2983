import { recordAuditEntry } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { allowMails, suppressMails } from './suppression.repository.ts';

/** Stop the mails to an address that anybody can cause, or allow them again. A repeat changes nothing. */
export function changeMailSuppression(
  database: Database,
  context: RequestContext,
  recipientHash: Buffer<ArrayBuffer>,
  isAllowed: boolean,
): Promise<void> {
  const [change, action] = isAllowed
    ? ([allowMails, 'MAILS_ALLOWED'] as const)
    : ([suppressMails, 'MAILS_SUPPRESSED'] as const);
  return database.transaction(async (tx) => {
    if (await change(tx, recipientHash)) await recordAuditEntry(tx, context, { action });
  });
}
