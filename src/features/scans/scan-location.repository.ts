import type { Db, Tx } from '../../platform/database.ts';
import { executeSql, querySql } from '../../platform/sql.ts';
import { getMinIdAt } from '../../shared/ids.ts';
import type { ScanArea } from './scan-position.ts';

export interface ScanLocationRow extends ScanArea {
  id: string;
  scanId: string;
  accountId: string;
  position: Uint8Array;
  address: Uint8Array | null;
  createdAt: Date;
}

export interface NewScanLocationRow extends ScanArea {
  id: string;
  scanId: string;
  accountId: string;
  positionHash: Buffer<ArrayBuffer>;
  position: Buffer<ArrayBuffer>;
}

type ScanKey = { id: string; accountId: string };

const LOCATION_COLUMNS = {
  id: true,
  scanId: true,
  accountId: true,
  position: true,
  address: true,
  city: true,
  region: true,
  country: true,
  createdAt: true,
} as const;

export async function listScanLocations(
  db: Db,
  accountId: string,
  scanIds: readonly string[],
): Promise<ScanLocationRow[]> {
  return db.scanLocation.findMany({
    where: { accountId, scanId: { in: [...scanIds] } },
    select: LOCATION_COLUMNS,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

export async function findScanLocation(
  db: Db,
  { id: scanId, accountId }: ScanKey,
  positionHash: Buffer<ArrayBuffer>,
): Promise<ScanLocationRow | null> {
  return db.scanLocation.findUnique({
    where: { scanId_positionHash: { scanId, positionHash }, accountId },
    select: LOCATION_COLUMNS,
  });
}

export async function countScanLocations(db: Db, { id: scanId, accountId }: ScanKey): Promise<number> {
  return db.scanLocation.count({ where: { accountId, scanId } });
}

/** Lock the code first. `ownerNotified` is false when the owner was notified within the last minute. */
export async function insertScanLocation(
  tx: Tx,
  location: NewScanLocationRow,
): Promise<{ createdAt: Date; ownerNotified: boolean }> {
  const { id, scanId, accountId, positionHash, position, city, region, country } = location;
  // statement_timestamp(): now() is from before the wait for the lock.
  const [row] = await querySql<{ createdAt: Date; ownerNotified: boolean }>(tx)`
    INSERT INTO scan_locations (id, scan_id, account_id, position_hash, position, city, region, country, owner_notified, created_at)
    SELECT ${id}, ${scanId}, ${accountId}, ${positionHash}, ${position}, ${city}, ${region}, ${country},
           NOT EXISTS (SELECT FROM scan_locations
                       WHERE account_id = ${accountId} AND scan_id = ${scanId} AND owner_notified AND created_at > statement_timestamp() - interval '1 minute'),
           statement_timestamp()
    RETURNING owner_notified AS "ownerNotified", created_at AS "createdAt"`;
  if (!row) throw new Error('A position was not stored.');
  return row;
}

/** Lock the buckets first; false when the scan has a position. */
export async function setScanPosition(
  tx: Tx,
  { id, accountId }: ScanKey,
  place: ScanArea & { position: Buffer<ArrayBuffer> },
): Promise<boolean> {
  const { position, city, region, country } = place;
  const { count } = await tx.scan.updateMany({
    where: { id, accountId, position: null },
    data: { position, city, region, country },
  });
  return count === 1;
}

export async function deleteOrphanedScanLocations(db: Db, before: Date, limit: number): Promise<number> {
  return executeSql(db)`
    DELETE FROM scan_locations WHERE id IN (
      SELECT id FROM scan_locations AS location
      WHERE scan_id < ${getMinIdAt(before)} AND NOT EXISTS (SELECT FROM scans WHERE scans.id = location.scan_id)
      LIMIT ${limit})`;
}
