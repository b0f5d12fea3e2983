import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { isFinderBlocked } from './blocked-finder.repository.ts';
import { computeFinderHash } from './finder-hash.ts';
import { insertScans } from './insert-scan.repository.ts';
import { type PrepareScanServices, prepareScan, type ScanVisit } from './prepare-scan.ts';
import { createTransactionQuery } from './scan-query.ts';
import { findScannedCodes, lockScannedCode } from './scanned-code.repository.ts';
import { assertCodeOpen, type RecordedScan, type VisibleContent } from './scanned-code.ts';

/** Blocked finders leave no position; medical content is audited. @throws as a `ScanRecorder`, except BUSY */
export async function recordScanInTransaction(
  services: PrepareScanServices,
  context: RequestContext,
  tx: Tx,
  codeId: string,
  visit: ScanVisit,
): Promise<RecordedScan> {
  await lockScannedCode(tx, codeId);
  const code = (await findScannedCodes(createTransactionQuery(tx), [codeId])).get(codeId);
  if (!code) throw new ServiceError('NOT_FOUND');
  assertCodeOpen(code);
  const { location, visitor } = visit;
  const isFromBlockedFinder =
    location !== null &&
    code.ownerBlocks &&
    (await isFinderBlocked(tx, code.ownerId, computeFinderHash(services.fieldCipher, visitor, code.ownerId)));
  const accepted = isFromBlockedFinder ? { ...visit, location: null } : visit;
  const { scan, content } = prepareScan(services, code, accepted, null);
  await auditMedicalContent(context, tx, code, content);
  if (scan.position) await services.requestGeocoding?.(tx, { table: 'scans', id: scan.id });
  if ((await insertScans(createTransactionQuery(tx), [scan])).length === 0)
    throw new ServiceError('NOT_FOUND');
  return { id: scan.id, scannedAt: scan.scannedAt, code, content, location: accepted.location };
}

function showsMedicalContent(code: { kind: string }, content: VisibleContent): boolean {
  return code.kind === 'MEDICAL' && content.profile !== null;
}

export async function auditMedicalContent(
  context: RequestContext,
  tx: Tx,
  code: { id: string; kind: string },
  content: VisibleContent,
): Promise<void> {
  if (!showsMedicalContent(code, content)) return;
  await recordAuditEntry(tx, context, {
    action: 'MEDICAL_DATA_SCANNED',
    resourceType: 'QRCODE',
    resourceId: code.id,
  });
}
