import type { Caller } from '../../platform/caller.ts';
import type { QrCodeRow } from '../qrcodes/qrcode.repository.ts';
import { showToEverybody } from '../scans/public-facts.ts';
import { recordScan } from '../scans/record-scan.ts';
import type { ScanServices } from '../scans/scan-services.ts';
import { findOpenCode, type Shown } from '../scans/scanned-code.ts';
import { visitorOf } from '../scans/visitor.ts';

/** What a visit to the page of a code found. */
export interface Visit extends Shown {
  code: QrCodeRow;
  /** The scan that was recorded; null when it was not. */
  scanId: string | null;
}

type Services = Pick<ScanServices, 'database' | 'vault' | 'scanQueue' | 'notifyScan'>;

/** Records a visit as a scan of its code. Throws NOT_FOUND, CODE_PAUSED, CODE_EXPIRED, BUSY, DATA_INTEGRITY. */
export function recordVisit(
  services: Services,
  caller: Caller,
  codeId: string,
  ownPhoneOf: string | null,
): Promise<Visit> {
  const visitor = visitorOf(caller, ownPhoneOf);
  return services.scanQueue(() =>
    services.database.transaction(async (tx) => {
      const code = await findOpenCode(tx, codeId);
      const facts = { code, type: 'public' as const, visitor, location: null, unlocked: false };
      const { id: scanId, ...shown } = await recordScan(services, caller, tx, facts);
      return { code, scanId, ...shown };
    }),
  );
}

/** The same for a visit that is not recorded. Throws NOT_FOUND, CODE_PAUSED, CODE_EXPIRED, DATA_INTEGRITY. */
export async function showWithoutScan(
  services: Pick<Services, 'database' | 'vault'>,
  caller: Caller,
  codeId: string,
): Promise<Visit> {
  const { code, shown } = await showToEverybody(services, caller, codeId);
  return { code, scanId: null, ...shown };
}
