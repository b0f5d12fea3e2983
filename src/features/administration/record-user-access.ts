import { recordAuditEntries, recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';

/** Bounds the entries of one request; an answer with more users is recorded as a list. */
const MAX_INDIVIDUAL_AUDIT_ENTRIES = 10;

/**
 * Record that staff read users, in the transaction that reads them: an entry for each user, so that they can see it,
 * or one entry if there are none or too many.
 */
export async function recordUserAccess(
  tx: Tx,
  context: RequestContext,
  userIds: readonly string[],
): Promise<void> {
  const users = [...new Set(userIds)];
  if (users.length === 0 || users.length > MAX_INDIVIDUAL_AUDIT_ENTRIES) return recordAuditEntry(tx, context);
  await recordAuditEntries(tx, context, users, { resourceType: 'USER' });
}
