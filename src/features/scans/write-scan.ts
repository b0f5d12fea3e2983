import type { Tx } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { auditMedicalContentAccess } from './audit-medical-access.ts';
import { isFinderBlocked } from './blocked-finder.repository.ts';
import { computeFinderHash } from './finder-hash.ts';
import { insertScans } from './insert-scan.repository.ts';
import { type PrepareScanServices, prepareScan, type RecordScanInput } from './prepare-scan.ts';
import { findScannedQrCodesById, lockQrCodeForScan } from './scanned-code.repository.ts';
import { assertQrCodeOpen, type RecordedScan } from './scanned-code.ts';

/** Store one scan. Blocked finders leave no position; medical content is audited. @throws as a `ScanRecorder`, except BUSY */
export async function writeScan(
  services: PrepareScanServices,
  context: RequestContext,
  tx: Tx,
  codeId: string,
  visit: RecordScanInput,
): Promise<RecordedScan> {
  await lockQrCodeForScan(tx, codeId);
  const code = (await findScannedQrCodesById(tx, [codeId])).get(codeId);
  if (!code) throw new ServiceError('NOT_FOUND');
  assertQrCodeOpen(code);
  const { location, visitor } = visit;
  const isFromBlockedFinder =
    location !== null &&
    code.ownerBlocks &&
    (await isFinderBlocked(
      tx,
      code.accountId,
      computeFinderHash(services.fieldCipher, visitor, code.accountId),
    ));
  const accepted = isFromBlockedFinder ? { ...visit, location: null } : visit;
  const { scan, content } = prepareScan(services, code, accepted, null);
  await auditMedicalContentAccess(context, tx, code, content);
  if (scan.position) await services.requestGeocoding?.(tx, { table: 'scans', id: scan.id });
  const [stored] = await insertScans(tx, [scan]);
  if (!stored) throw new ServiceError('NOT_FOUND');
  return { ...stored, scannedAt: scan.scannedAt, code, content, location: accepted.location };
}
