import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import { checkPin, type GuardedCode } from './check-pin.ts';
import { auditMedical } from './record-scan.ts';
import { markUnlocked } from './scan.repository.ts';
import type { ScanServices } from './scan-services.ts';
import { type ScannedCode, type Shown, showCode } from './scanned-code.ts';

/**
 * Opens an existing scan by the PIN of its code, so that one visit is one scan. A code without PIN ignores it.
 * Throws PIN_INCORRECT, RATE_LIMITED, DATA_INTEGRITY.
 */
export async function unlockScan(
  services: Pick<ScanServices, 'database' | 'vault' | 'pins' | 'notifyPinTries'>,
  caller: Caller,
  scanId: string,
  code: ScannedCode & GuardedCode,
  pin: string,
): Promise<Shown> {
  const hasPin = code.pinHash !== null;
  if (hasPin) await checkPin(services, caller, code, pin);
  return services.database.transaction(async (tx) => {
    const shown = showCode(services.vault, code, true);
    const isFirst = hasPin && (await markUnlocked(tx, scanId, { at: new Date(), notBefore: code.updatedAt }));
    if (isFirst) await recordAction(tx, caller, { action: 'SCAN_UNLOCKED', resourceId: scanId });
    await auditMedical(caller, tx, code, shown);
    return shown;
  });
}
