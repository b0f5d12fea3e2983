import { commitAuditEntry, recordAuditEntries } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';

/** Bounds the entries of one request; an answer with more users is recorded as a list. */
const MAX_INDIVIDUAL_AUDIT_ENTRIES = 10;

/**
 * Record that staff read users, before they see them: an entry for each user, so that they can see it, or one entry if
 * there are none or too many.
 */
export async function recordUserAccess(
  database: Database,
  context: RequestContext,
  userIds: readonly string[],
): Promise<void> {
  const users = [...new Set(userIds)];
  if (users.length === 0 || users.length > MAX_INDIVIDUAL_AUDIT_ENTRIES)
    return commitAuditEntry(database, context);
  await database.transaction((tx) => recordAuditEntries(tx, context, users, { resourceType: 'USER' }));
}
