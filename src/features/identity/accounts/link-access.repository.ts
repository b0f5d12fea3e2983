import type { Db } from '../../../platform/database.ts';
import { querySql } from '../../../platform/sql.ts';

/** Null for an unknown user. */
export async function findAccessEpoch(db: Db, userId: string): Promise<number | null> {
  const row = await db.user.findUnique({ where: { id: userId }, select: { accessEpoch: true } });
  return row?.accessEpoch ?? null;
}

/**
 * Find the access epoch of a user whom a mailed link may let in without a login; null where the link would skip a second
 * factor or a rule of enterprise mode, or the user may not log in.
 */
export async function findLinkAccessEpoch(
  db: Db,
  userId: string,
  isEnterpriseEnforced: boolean,
): Promise<number | null> {
  const rows = await querySql<{ accessEpoch: number }>(db)`
    SELECT access_epoch AS "accessEpoch" FROM users AS person
    WHERE id = ${userId} AND status IN ('VERIFIED', 'ACTIVE')
      AND NOT (enterprise_mode OR ${isEnterpriseEnforced})
      AND NOT EXISTS (SELECT FROM second_factors WHERE user_id = person.id AND confirmed_at IS NOT NULL)`;
  return rows[0]?.accessEpoch ?? null;
}
