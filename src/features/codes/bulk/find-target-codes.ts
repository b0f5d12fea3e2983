import { recordAuditEntries } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { createValidationError, type FieldError, ServiceError } from '../../../shared/errors.ts';
import { isId } from '../../../shared/ids.ts';
import {
  findQrCodesByExternalIds,
  findQrCodesByOwnIds,
  type QrCodeWithScanCounts,
} from '../qrcode.repository.ts';

/** A code of the owner by `id`, or else by `externalId`. */
export interface BulkTarget {
  id?: string;
  externalId?: string | null;
}

/**
 * Find the codes that items of a request mean; one that is not found is audited as for a request of its own.
 * @returns a function that throws NOT_FOUND, or VALIDATION_FAILED for no id or the code of an earlier item
 */
export async function findTargetCodes(
  tx: Tx,
  context: RequestContext,
  accountId: string,
  targets: readonly BulkTarget[],
): Promise<(target: BulkTarget) => QrCodeWithScanCounts> {
  const ids = targets.flatMap(({ id }) => (isId(id) ? id : []));
  const externalIds = targets.flatMap(({ id, externalId }) =>
    id === undefined && typeof externalId === 'string' ? externalId : [],
  );
  const byId = await findQrCodesByOwnIds(tx, accountId, ids);
  const byExternalId = await findQrCodesByExternalIds(tx, accountId, externalIds);
  const missing = [...new Set(ids.filter((id) => !byId.has(id)))];
  if (missing.length > 0)
    await recordAuditEntries(tx, context, missing, { action: 'ACCESS_DENIED', outcome: 'DENIED' });
  const found = new Set<string>();
  return ({ id, externalId }) => {
    if (id === undefined && !externalId) throw createValidationError(MISSING_ID);
    const row = id === undefined ? byExternalId.get(externalId ?? '') : byId.get(id);
    if (!row) throw new ServiceError('NOT_FOUND');
    if (found.has(row.id)) throw createValidationError({ ...REPEATED_ID, field: id ? 'id' : 'externalId' });
    found.add(row.id);
    return row;
  };
}

const MISSING_ID: FieldError = { field: 'id', code: 'REQUIRED', message: 'Is required, or externalId.' };

const REPEATED_ID = { code: 'NOT_UNIQUE', message: 'Must not be that of an earlier item.' };
