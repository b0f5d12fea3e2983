import type { Tx } from '../../platform/database.ts';
import { executeSql, querySql } from '../../platform/sql.ts';
import type { CountedScan } from './dirty-buckets.repository.ts';

export interface ScansOfCode {
  qrCodeId: string;
  fromAccountId: string;
}

export type MovableScan = CountedScan & { id: string };

/** List scans that a code has under an account, the oldest first. */
export async function listScansToMove(
  tx: Tx,
  { qrCodeId, fromAccountId }: ScansOfCode,
  take: number,
): Promise<MovableScan[]> {
  return tx.scan.findMany({
    where: { qrCodeId, accountId: fromAccountId },
    select: { id: true, qrCodeId: true, accountId: true, scannedAt: true },
    orderBy: [{ scannedAt: 'asc' }, { id: 'asc' }],
    take,
  });
}

/** Delete scans with the positions that were added to them. */
export async function deleteScans(tx: Tx, accountId: string, ids: readonly string[]): Promise<void> {
  await executeSql(tx)`
    DELETE FROM scan_locations WHERE account_id = ${accountId} AND scan_id = ANY (${[...ids]}::text[])`;
  await executeSql(tx)`DELETE FROM scans WHERE account_id = ${accountId} AND id = ANY (${[...ids]}::text[])`;
}

/** Delete what was counted of the scans of a code. */
export async function deleteScanCounts(tx: Tx, qrCodeId: string): Promise<void> {
  await tx.scanCount.deleteMany({ where: { qrCodeId } });
  await tx.scanVisitor.deleteMany({ where: { qrCodeId } });
  await executeSql(tx)`DELETE FROM scan_dirty_buckets WHERE subject_id = ${qrCodeId}`;
  await executeSql(tx)`DELETE FROM scan_rollups WHERE subject_id = ${qrCodeId}`;
  await executeSql(tx)`DELETE FROM scan_rollup_months WHERE subject_id = ${qrCodeId}`;
}

/** Count scans of a code, up to a number. */
export async function countScansToMove(
  tx: Tx,
  { qrCodeId, fromAccountId }: ScansOfCode,
  upTo: number,
): Promise<number> {
  const [row] = await querySql<{ count: number }>(tx)`
    SELECT count(*)::int AS count FROM (
      SELECT FROM scans WHERE account_id = ${fromAccountId} AND qr_code_id = ${qrCodeId} LIMIT ${upTo}) AS counted`;
  return row?.count ?? 0;
}
