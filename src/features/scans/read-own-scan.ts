import type { Static } from 'typebox';
import { findScan } from './scan.repository.ts';
import { toOwnerScanView } from './scan.view.ts';
import type { ScanLocation } from './scan-answers.schemas.ts';
import { listScanLocations } from './scan-location.repository.ts';
import type { ScanServices } from './scan-services.ts';

export type OwnScan = ReturnType<typeof toOwnerScanView> & { positions: ScanPosition[] };

export type ScanPosition = Omit<Static<typeof ScanLocation>, 'id' | 'scanId'>;

/** Read a scan with all its positions, oldest first; null when there is none of this owner. @throws DATA_INTEGRITY */
export async function readOwnScan(
  { database, fieldCipher }: Pick<ScanServices, 'database' | 'fieldCipher'>,
  accountId: string,
  id: string,
): Promise<OwnScan | null> {
  const row = await findScan(database.client, id);
  if (row?.accountId !== accountId) return null;
  const view = toOwnerScanView(fieldCipher, row, await listScanLocations(database.client, [id]));
  const { location, trail = [], scannedAt } = view;
  const [first] = trail;
  // The first position of the trail becomes the position of a scan without one.
  const isInTrail = first?.latitude === location?.latitude && first?.longitude === location?.longitude;
  return {
    ...view,
    positions: [...(location && !isInTrail ? [{ ...location, createdAt: scannedAt }] : []), ...trail],
  };
}
