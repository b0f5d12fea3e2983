import type { ResourceType } from '../shared/audit-actions.ts';
import { type IntegrityFailure, ServiceError } from '../shared/errors.ts';
import { ENCRYPTED_COLUMNS } from './encrypted-columns.ts';

/**
 * What the audit trail says of a stored value that does not open: the record, where its table is one that people know,
 * else the id of the row; and in any case table and column.
 */
export function toIntegrityFailureEntry({ table, column, rowId }: IntegrityFailure) {
  const encryptedColumn = ENCRYPTED_COLUMNS.find((one) => one.table === table && one.column === column);
  const resourceType: ResourceType = encryptedColumn?.resourceType ?? 'SYSTEM';
  return {
    action: 'DATA_INTEGRITY_FAILED',
    outcome: 'FAILURE',
    resourceType,
    resourceId: rowId,
    changes: [`${table}.${column}`],
  } as const;
}

/** What `read` answers; null where a stored value does not open, of which `onIntegrityFailure` hears. */
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
