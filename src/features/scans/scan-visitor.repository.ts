import type { Db } from '../../platform/database.ts';

export async function findVisitorHashesByScan(
  db: Db,
  scanIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.scan.findMany({
    where: { id: { in: [...scanIds] } },
    select: { id: true, visitorHash: true },
  });
  return new Map(rows.map(({ id, visitorHash }) => [id, Buffer.from(visitorHash).toString('base64url')]));
}

export async function deleteExpiredScanVisitors(db: Db, before: Date): Promise<number> {
  const { count } = await db.scanVisitor.deleteMany({ where: { day: { lt: before } } });
  return count;
}
