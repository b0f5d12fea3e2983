import type { AuditResourceType } from '../audit-actions.ts';
import { type IntegrityFailure, ServiceError } from '../shared/errors.ts';
import { ENCRYPTED_COLUMNS } from './encrypted-columns.ts';

export function toIntegrityFailureAuditEntry({ table, column, rowId }: IntegrityFailure) {
  const encryptedColumn = ENCRYPTED_COLUMNS.find((one) => one.table === table && one.column === column);
  const resourceType: AuditResourceType = encryptedColumn?.resourceType ?? 'SYSTEM';
  return {
    action: 'DATA_INTEGRITY_FAILED',
    outcome: 'FAILURE',
    resourceType,
    resourceId: rowId,
    changes: [`${table}.${column}`],
  } as const;
}

export function readOrReportIntegrityFailure<Value>(
  read: () => Value,
  onIntegrityFailure: (failure: IntegrityFailure) => void,
): Value | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.integrityFailure) throw error;
    onIntegrityFailure(error.integrityFailure);
    return null;
  }
}
