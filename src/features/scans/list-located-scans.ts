import { listLocatedScans, type ScanFilter, type ScanListRow } from './scan-list.repository.ts';
import { listScanLocations } from './scan-location.repository.ts';
import { decryptPositionRow, decryptScanLocation, type GeocodedPosition } from './scan-position.ts';
import { readRetainedScans } from './scan-retention.ts';
import type { ScanServices } from './scan-services.ts';

const MAX_LOCATED_SCANS = 20;

/** Bounds the cost for a code that is scanned all the time by phones that share no position. */
const MAX_SEARCHED_SCANS = 1_000;

export interface LocatedScan {
  scan: ScanListRow;
  /** The newest of the scan. */
  position: GeocodedPosition;
}

/** List the last scans of an account's code that have a position, newest first. @throws DATA_INTEGRITY */
export async function listLocatedOwnScans(
  services: Pick<ScanServices, 'database' | 'fieldCipher' | 'findRetentionStart'>,
  accountId: string,
  filter: ScanFilter & { qrCodeId: string },
): Promise<LocatedScan[]> {
  const { database, fieldCipher } = services;
  const rows = await readRetainedScans(services, accountId, filter, (retainedFilter) =>
    database.read(({ pool }) =>
      listLocatedScans(pool, accountId, retainedFilter, {
        take: MAX_LOCATED_SCANS,
        searched: MAX_SEARCHED_SCANS,
      }),
    ),
  );
  if (rows.length === 0) return [];
  const locations = await database.read(({ client }) =>
    listScanLocations(
      client,
      accountId,
      rows.map(({ id }) => id),
    ),
  );
  // The oldest come first.
  const newest = new Map(locations.map((location) => [location.scanId, location]));
  return rows.flatMap((scan) => {
    const location = newest.get(scan.id);
    const position = location
      ? decryptPositionRow(fieldCipher, location, 'scan_locations')
      : decryptScanLocation(fieldCipher, scan);
    return position ? [{ scan, position }] : [];
  });
}
