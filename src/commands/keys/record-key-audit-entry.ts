import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Database } from '../../platform/database.ts';
import type { AuditAction, ResourceType } from '../../shared/audit-actions.ts';

/** Writes an audit entry of a command on the keys; `resourceId` is the id of a key or of a row. */
export async function recordKeyAuditEntry(
  database: Database,
  entry: {
    action: AuditAction;
    operation: string;
    resourceType?: ResourceType;
    resourceId?: string;
    outcome?: 'SUCCESS' | 'FAILURE';
    changes?: readonly string[];
  },
): Promise<void> {
  await database.transaction((tx) =>
    insertAuditEntry(tx, { outcome: 'SUCCESS', requestId: 'command', ...entry }),
  );
}
