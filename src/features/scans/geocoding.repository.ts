import type { Db, Tx } from '../../platform/database.ts';
import { executeSql } from '../../platform/sql.ts';
import type { ScanArea } from './scan-position.ts';

export interface ScanPositionRowKey {
  table: 'scans' | 'scan_locations';
  id: string;
}

/** Claim the right to call the geocoding server for one second, over all instances. */
export async function claimGeocoderSlot(db: Db): Promise<boolean> {
  // A bit more than a second, since requests do not leave as evenly as slots are claimed.
  const count = await executeSql(db)`
    UPDATE geocoder_state SET last_request_at = clock_timestamp() WHERE last_request_at <= clock_timestamp() - interval '1.1 seconds'`;
  return count === 1;
}

/** True for the first failure over all instances. */
export async function markGeocoderFailing(db: Db): Promise<boolean> {
  const { count } = await db.geocoderState.updateMany({
    where: { failingSince: null },
    data: { failingSince: new Date() },
  });
  return count === 1;
}

export async function markGeocoderRecovered(db: Db): Promise<boolean> {
  const { count } = await db.geocoderState.updateMany({
    where: { failingSince: { not: null } },
    data: { failingSince: null },
  });
  return count === 1;
}

export async function findGeocodedCellPlace(db: Db, id: string, since: Date): Promise<Uint8Array | null> {
  const row = await db.geocodedCell.findFirst({ where: { id, createdAt: { gte: since } } });
  return row?.place ?? null;
}

export async function upsertGeocodedCell(db: Db, id: string, place: Buffer<ArrayBuffer>): Promise<void> {
  const fresh = { place, createdAt: new Date() };
  await db.geocodedCell.upsert({ where: { id }, create: { id, ...fresh }, update: fresh });
}

export async function deleteExpiredGeocodedCells(db: Db, before: Date): Promise<void> {
  await db.geocodedCell.deleteMany({ where: { createdAt: { lt: before } } });
}

export async function findScanPositionWithoutAddress(db: Db, { table, id }: ScanPositionRowKey) {
  const where = { id, address: null };
  const columns = {
    id: true,
    accountId: true,
    position: true,
    city: true,
    region: true,
    country: true,
  } as const;
  if (table === 'scans') {
    const row = await db.scan.findFirst({ where, select: { ...columns, qrCodeId: true, scannedAt: true } });
    return row?.position ? { ...row, position: row.position, scanId: id, counted: row } : null;
  }
  const row = await db.scanLocation.findFirst({ where, select: { ...columns, scanId: true } });
  return row && { ...row, counted: null };
}

export async function updateScanPositionAddress(
  tx: Tx,
  { table, id, accountId }: ScanPositionRowKey & { accountId: string },
  place: ScanArea & { address: Buffer<ArrayBuffer> | null },
): Promise<boolean> {
  const { address, city, region, country } = place;
  const data = { address, city, region, country };
  const { count } =
    table === 'scans'
      ? await tx.scan.updateMany({ where: { id, accountId, address: null, position: { not: null } }, data })
      : await tx.scanLocation.updateMany({ where: { id, accountId, address: null }, data });
  return count === 1;
}
