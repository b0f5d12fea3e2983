import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Database } from '../../platform/database.ts';
import type { AuditAction, ResourceType } from '../../shared/audit-actions.ts';

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
