import type { Db } from '../../platform/database.ts';

/** Find the truncated address of each scan. */
export async function findNetworksByScan(db: Db, scanIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.scan.findMany({
    where: { id: { in: [...scanIds] } },
    select: { id: true, ipTruncated: true },
  });
  return new Map(rows.map(({ id, ipTruncated }) => [id, ipTruncated]));
}

export async function deleteExpiredScanVisitors(db: Db, before: Date): Promise<number> {
  const { count } = await db.scanVisitor.deleteMany({ where: { day: { lt: before } } });
  return count;
}
