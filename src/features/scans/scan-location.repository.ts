import type { Db, Tx } from '../../platform/database.ts';
import { getMinIdAt } from '../../shared/ids.ts';
import type { ScanArea } from './scan-position.ts';

/** A part of a scan's trail. */
export interface ScanLocationRow extends ScanArea {
  id: string;
  scanId: string;
  ownerId: string;
  position: Uint8Array;
  /** By a geocoding server. */
  address: Uint8Array | null;
  createdAt: Date;
}

/** A part of a trail as it is to be stored. */
export interface NewScanLocation extends ScanArea {
  id: string;
  scanId: string;
  ownerId: string;
  positionHash: Buffer<ArrayBuffer>;
  position: Buffer<ArrayBuffer>;
}

const LOCATION_COLUMNS = {
  id: true,
  scanId: true,
  ownerId: true,
  position: true,
  address: true,
  city: true,
  region: true,
  country: true,
  createdAt: true,
} as const;

/** The trails of scans, oldest part first. */
export async function listScanLocations(db: Db, scanIds: readonly string[]): Promise<ScanLocationRow[]> {
  return db.scanLocation.findMany({
    where: { scanId: { in: [...scanIds] } },
    select: LOCATION_COLUMNS,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

/** The part of a scan's trail that has this position; null where there is none. */
export async function findScanLocation(
  db: Db,
  scanId: string,
  positionHash: Buffer<ArrayBuffer>,
): Promise<ScanLocationRow | null> {
  return db.scanLocation.findUnique({
    where: { scanId_positionHash: { scanId, positionHash } },
    select: LOCATION_COLUMNS,
  });
}

/** How many positions the trail of a scan has. */
export async function countScanLocations(db: Db, scanId: string): Promise<number> {
  return db.scanLocation.count({ where: { scanId } });
}

/**
 * Adds a position to a trail. `ownerNotified` says whether the owner is to be notified of it: not if they were notified
 * within the last minute. Lock the code of the scan first.
 */
export async function insertScanLocation(
  tx: Tx,
  location: NewScanLocation,
): Promise<{ createdAt: Date; ownerNotified: boolean }> {
  const { id, scanId, ownerId, positionHash, position, city, region, country } = location;
  // The time of the statement: that of the transaction is from before the code was waited for.
  const [row] = await tx.$queryRaw<{ createdAt: Date; ownerNotified: boolean }[]>`
    INSERT INTO scan_locations (id, scan_id, owner_id, position_hash, position, city, region, country, owner_notified, created_at)
    SELECT ${id}, ${scanId}, ${ownerId}, ${positionHash}, ${position}, ${city}, ${region}, ${country},
           NOT EXISTS (SELECT FROM scan_locations WHERE scan_id = ${scanId} AND owner_notified
                       AND created_at > statement_timestamp() - interval '1 minute'),
           statement_timestamp()
    RETURNING owner_notified AS "ownerNotified", created_at AS "createdAt"`;
  if (!row) throw new Error('A position was not stored.');
  return row;
}

/** Gives a scan that has no position its own. False where it has one. The spans it is counted in are to be held. */
export async function setScanPosition(
  tx: Tx,
  id: string,
  place: ScanArea & { position: Buffer<ArrayBuffer> },
): Promise<boolean> {
  const { position, city, region, country } = place;
  const { count } = await tx.scan.updateMany({
    where: { id, position: null },
    data: { position, city, region, country },
  });
  return count === 1;
}

/** Deletes trails of scans from before a moment that are there no more. Answers how many parts, `limit` at most. */
export async function deleteOrphanedLocations(db: Db, before: Date, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM scan_locations WHERE id IN (
      SELECT id FROM scan_locations AS location
      WHERE scan_id < ${getMinIdAt(before)} AND NOT EXISTS (SELECT FROM scans WHERE scans.id = location.scan_id)
      LIMIT ${limit})`;
}
