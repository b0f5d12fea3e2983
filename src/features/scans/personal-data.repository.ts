import { Prisma } from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database.ts';
import type { ErasureBatchOptions, ErasureRow } from '../../platform/personal-data.ts';
import { executeSql, querySql, sql } from '../../platform/sql.ts';
import { listScanLocations } from './scan-location.repository.ts';

/** Leaves out what identifies the visitor. */
export async function findScansByIds(db: Db, accountId: string, ids: string[]) {
  const scans = await db.scan.findMany({
    where: { accountId, id: { in: ids } },
    omit: { ipTruncated: true, visitorHash: true, scannerId: true },
    orderBy: [{ scannedAt: 'desc' }, { id: 'desc' }],
  });
  const locations = await listScanLocations(db, accountId, ids);
  return scans.map((scan) => ({ ...scan, trail: locations.filter(({ scanId }) => scanId === scan.id) }));
}

export async function listScansByScanner(db: Db, scannerId: string, afterId: string, take: number) {
  return db.scan.findMany({
    where: { scannerId, id: { gt: afterId } },
    select: { id: true, qrCodeId: true, scannedAt: true, type: true },
    orderBy: { id: 'asc' },
    take,
  });
}

/** True once none remain. */
export async function clearScannerUserId(
  tx: Tx,
  { userId }: ErasureRow,
  { limit }: ErasureBatchOptions,
): Promise<boolean> {
  const count = await executeSql(tx)`
    UPDATE scans SET scanner_id = NULL
    WHERE id IN (SELECT id FROM scans WHERE scanner_id = ${userId} ORDER BY id LIMIT ${limit})`;
  return count < limit;
}

/**
 * Clear personal data and store the cursor in the erasure; what the counts need stays. True once none remain.
 * Call it once no code remains that a scan could be stored for.
 */
export async function eraseScanBatch(
  tx: Tx,
  { id, userId, scanCursorAt, scanCursorId }: ErasureRow,
  { limit }: ErasureBatchOptions,
): Promise<boolean> {
  const whereAfter = scanCursorAt
    ? sql`AND (scanned_at, id) < (${scanCursorAt}, ${scanCursorId})`
    : Prisma.empty;
  const rows = await querySql<{ count: number }>(tx)`
    WITH picked AS MATERIALIZED (
      SELECT id, scanned_at FROM scans WHERE account_id = ${userId} ${whereAfter}
      ORDER BY scanned_at DESC, id DESC LIMIT ${limit}
    ), emptied AS (
      UPDATE scans AS scan
      SET position = NULL, address = NULL, ip_truncated = '', user_agent = '', visitor_hash = '', scanner_id = NULL
      FROM picked WHERE scan.id = picked.id
    ), last AS (
      SELECT id, scanned_at FROM picked ORDER BY scanned_at, id LIMIT 1
    ), noted AS (
      UPDATE erasures SET scan_cursor_at = last.scanned_at, scan_cursor_id = last.id FROM last WHERE erasures.id = ${id}
    )
    SELECT count(*)::int AS count FROM picked`;
  return (rows[0]?.count ?? 0) < limit;
}
