import type { Db } from '../../platform/database.ts';

/** By whom scans were made, by the scans' ids: what tells one visitor of a code from another for a day. */
export async function findVisitorHashes(db: Db, scanIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.scan.findMany({
    where: { id: { in: [...scanIds] } },
    select: { id: true, visitorHash: true },
  });
  return new Map(rows.map(({ id, visitorHash }) => [id, Buffer.from(visitorHash).toString('base64url')]));
}

/** Forgets the visitors of days before this moment's: they only tell a second scan from a second person within a day. */
export async function deleteExpiredVisitors(db: Db, before: Date): Promise<number> {
  const { count } = await db.scanVisitor.deleteMany({ where: { day: { lt: before } } });
  return count;
}
