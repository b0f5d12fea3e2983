import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { isFinderBlocked } from '../conversations/blocked-finder.repository.ts';
import { computeFinderHash } from '../conversations/finder-hash.ts';
import { recordScans } from './insert-scan.repository.ts';
import { type PreparingServices, prepareScan, type Visit } from './prepare-scan.ts';
import { queryIn } from './scan-query.ts';
import { findScannedCodes, holdCode } from './scanned-code.repository.ts';
import { type Recorded, refuseClosed, type Shown } from './scanned-code.ts';

/**
 * Records a scan in a transaction, with the audit entry where medical content is shown. The code is held from the
 * beginning, so that it does not change on the way. No position is taken from a finder whom the owner blocks. Throws what a recorder throws but BUSY.
 */
export async function recordApart(
  services: PreparingServices,
  context: RequestContext,
  tx: Tx,
  codeId: string,
  visit: Visit,
): Promise<Recorded> {
  await holdCode(tx, codeId);
  const code = (await findScannedCodes(queryIn(tx), [codeId])).get(codeId);
  if (!code) throw new ServiceError('NOT_FOUND');
  refuseClosed(code);
  const { location, visitor } = visit;
  const isUnwanted =
    location !== null &&
    code.ownerBlocks &&
    (await isFinderBlocked(tx, code.ownerId, computeFinderHash(services.fieldCipher, visitor, code.ownerId)));
  const taken = isUnwanted ? { ...visit, location: null } : visit;
  const { scan, shown } = prepareScan(services, code, taken, null);
  await auditMedical(context, tx, code, shown);
  if (scan.position) await services.requestGeocoding?.(tx, { table: 'scans', id: scan.id });
  if ((await recordScans(queryIn(tx), [scan])).length === 0) throw new ServiceError('NOT_FOUND');
  return { id: scan.id, scannedAt: scan.scannedAt, code, shown, location: taken.location };
}

function showsMedical(code: { kind: string }, shown: Shown): boolean {
  return code.kind === 'MEDICAL' && shown.profile !== null;
}

/** The audit entry of showing medical content; none where nothing is shown. */
export async function auditMedical(
  context: RequestContext,
  tx: Tx,
  code: { id: string; kind: string },
  shown: Shown,
): Promise<void> {
  if (!showsMedical(code, shown)) return;
  await recordAuditEntry(tx, context, {
    action: 'MEDICAL_DATA_SCANNED',
    resourceType: 'QRCODE',
    resourceId: code.id,
  });
}
