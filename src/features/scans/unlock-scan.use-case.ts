import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { auditMedicalContentAccess } from './audit-medical-access.ts';
import { type PinProtectedQrCode, verifyQrCodePin } from './check-pin.use-case.ts';
import { markScanUnlocked } from './scan.repository.ts';
import type { ScanServices } from './scan-services.ts';
import {
  getOpenQrCode,
  getVisibleQrCodeContent,
  type ScannedQrCode,
  type VisibleQrCodeContent,
} from './scanned-code.ts';

/**
 * A code that changed during the comparison is compared again, at the cost of another attempt.
 * @throws PIN_INCORRECT, RATE_LIMITED, DATA_INTEGRITY; NOT_FOUND, CODE_PAUSED, CODE_EXPIRED when it was
 * closed
 */
export async function unlockScan(
  services: Pick<
    ScanServices,
    'database' | 'fieldCipher' | 'publicBaseUrl' | 'isEnterpriseEnforced' | 'pins' | 'events'
  >,
  context: RequestContext,
  scanId: string,
  initialCode: PinProtectedQrCode,
  pin: string,
  isOwnerPhone = false,
): Promise<{ code: ScannedQrCode; content: VisibleQrCodeContent }> {
  const { database } = services;
  for (let candidate = initialCode; ; ) {
    if (candidate.pinHash !== null) await verifyQrCodePin(services, context, candidate, pin, isOwnerPhone);
    const comparedHash = candidate.pinHash;
    const { code, content } = await database.transaction(async (tx) => {
      const code = await getOpenQrCode(tx, candidate.id);
      const isReplaced = code.pinHash !== null && code.pinHash !== comparedHash;
      return { code, content: isReplaced ? null : await open(tx, code) };
    });
    if (content) return { code, content };
    candidate = code;
  }

  async function open(tx: Tx, code: ScannedQrCode): Promise<VisibleQrCodeContent> {
    const content = getVisibleQrCodeContent(services, code, true);
    const hasPin = code.pinHash !== null;
    const scan = { id: scanId, accountId: code.accountId };
    const isFirst = hasPin && (await markScanUnlocked(tx, scan, { at: new Date(), version: code.version }));
    if (isFirst) await recordAuditEntry(tx, context, { action: 'SCAN_UNLOCKED', resourceId: scanId });
    await auditMedicalContentAccess(context, tx, code, content);
    return content;
  }
}
