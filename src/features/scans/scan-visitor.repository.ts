import type { Db } from '../../platform/database.ts';

/** Forgets the visitors of days before this moment's: they only tell a second scan from a second person within a day. */
export async function deleteOldVisitors(db: Db, before: Date): Promise<number> {
  const { count } = await db.scanVisitor.deleteMany({ where: { day: { lt: before } } });
  return count;
}
