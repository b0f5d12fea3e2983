import type { Static } from 'typebox';
import { commitAuditEntry } from '../../platform/audit.ts';
import { hasActiveBreakGlassGrant } from '../../platform/break-glass.repository.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { findScan, type ScanWithQrCode } from './scan.repository.ts';
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
  return readPositions({ database, fieldCipher }, row);
}

/**
 * Read a scan of somebody else with its exact positions, audited; null without emergency access to it.
 * @throws DATA_INTEGRITY
 */
export async function readScanByBreakGlass(
  { database, fieldCipher }: Pick<ScanServices, 'database' | 'fieldCipher'>,
  context: RequestContext,
  row: ScanWithQrCode,
): Promise<OwnScan | null> {
  const { user } = context;
  if (!user || !(await hasActiveBreakGlassGrant(database.client, user.id, 'SCAN', row.id))) return null;
  await commitAuditEntry(database, context, { action: 'BREAK_GLASS_SCAN_READ', resourceId: row.id });
  return readPositions({ database, fieldCipher }, row);
}

async function readPositions(
  { database, fieldCipher }: Pick<ScanServices, 'database' | 'fieldCipher'>,
  row: ScanWithQrCode,
): Promise<OwnScan> {
  const view = toOwnerScanView(
    fieldCipher,
    row,
    await listScanLocations(database.client, row.accountId, [row.id]),
  );
  const { location, trail = [], scannedAt } = view;
  const [first] = trail;
  // The first position of the trail becomes the position of a scan without one.
  const isInTrail = first?.latitude === location?.latitude && first?.longitude === location?.longitude;
  return {
    ...view,
    positions: [...(location && !isInTrail ? [{ ...location, createdAt: scannedAt }] : []), ...trail],
  };
}
