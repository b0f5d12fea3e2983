import type { Db, Tx } from '../../../platform/database.ts';
import { querySql } from '../../../platform/sql.ts';

/** Of the personal account of a user as for the user. */
export async function hasEnterpriseMode(db: Db, accountId: string): Promise<boolean> {
  const row = await db.account.findUnique({ where: { id: accountId }, select: { enterpriseMode: true } });
  return row?.enterpriseMode ?? false;
}

export async function lockUserEnterpriseModeByEmail(
  tx: Tx,
  email: string,
): Promise<{ id: string; enterpriseMode: boolean } | null> {
  const rows = await querySql<{ id: string; enterpriseMode: boolean }>(tx)`
    SELECT id, enterprise_mode AS "enterpriseMode" FROM users
    WHERE email = ${email} AND status <> 'DELETED' FOR UPDATE`;
  return rows[0] ?? null;
}

export async function setUserEnterpriseMode(tx: Tx, userId: string, isOn: boolean): Promise<void> {
  await tx.user.update({
    where: { id: userId },
    data: { enterpriseMode: isOn, updatedAt: new Date() },
    select: { id: true },
  });
}
