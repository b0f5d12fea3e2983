import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Database } from '../../platform/database.ts';
import type { AuditAction, AuditResourceType } from '../../shared/audit-actions.ts';

export async function recordEncryptionKeyAuditEntry(
  database: Database,
  entry: {
    action: AuditAction;
    operation: string;
    resourceType?: AuditResourceType;
    resourceId?: string;
    outcome?: 'SUCCESS' | 'FAILURE';
    changes?: readonly string[];
  },
): Promise<void> {
  await database.transaction((tx) =>
    insertAuditEntry(tx, { outcome: 'SUCCESS', requestId: 'command', ...entry }),
  );
}
