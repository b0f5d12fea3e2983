import { recordAuditEntries, recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';

/** People up to whom an answer tells of each of them; more are a list. It bounds the entries of one request. */
const MAX_INDIVIDUAL_AUDIT_ENTRIES = 10;

/**
 * Records that staff looked at people, in the transaction that read them: an entry for each of up to ten people, so that
 * they can see it; one entry of the look itself where it found nobody, or more.
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
