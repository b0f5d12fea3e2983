import { HOUR_MS } from '../../../shared/durations.ts';
import { listOwnScans, type ScanListRow } from '../../scans/index.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';

/** Of a code that gets scanned all the time, too. */
const MAX_SCAN_AGE_MS = HOUR_MS;

export interface PhoneScans {
  /** The last one by a phone that is marked as the owner’s. */
  own: ScanListRow | null;
  /** The last one by another phone. */
  other: ScanListRow | null;
}

/** Read the last scans of a code within the hour, for somebody who scans it right now. */
export async function readPhoneScans(
  services: Pick<OwnerPageServices, 'database' | 'findRetentionStart'>,
  { accountId, id }: { accountId: string; id: string },
): Promise<PhoneScans> {
  const from = new Date(Date.now() - MAX_SCAN_AGE_MS);
  const findLast = async (scanClass: string) => {
    const filter = { qrCodeId: id, from, classes: [scanClass] };
    const range = { skip: 0, take: 1, after: null };
    const { rows } = await listOwnScans(services, accountId, filter, { sort: '-scannedAt', range });
    return rows[0] ?? null;
  };
  const [own, other] = await Promise.all([findLast('OWNER'), findLast('HUMAN')]);
  return { own, other };
}
