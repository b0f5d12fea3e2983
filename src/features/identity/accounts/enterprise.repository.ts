import type { Db, Tx } from '../../../platform/database.ts';

/** Whether an account is in enterprise mode by itself; false for one that does not exist. */
export async function hasEnterpriseMode(db: Db, userId: string): Promise<boolean> {
  const row = await db.user.findUnique({ where: { id: userId }, select: { enterpriseMode: true } });
  return row?.enterpriseMode ?? false;
}

/** The account of a normalised address, locked, as far as enterprise mode is concerned; null when there is none. */
export async function lockUserEnterpriseMode(
  tx: Tx,
  email: string,
): Promise<{ id: string; enterpriseMode: boolean } | null> {
  const rows = await tx.$queryRaw<{ id: string; enterpriseMode: boolean }[]>`
    SELECT id, enterprise_mode AS "enterpriseMode" FROM users
    WHERE email = ${email} AND status <> 'DELETED' FOR UPDATE`;
  return rows[0] ?? null;
}

/** Switches enterprise mode of one account; its rules hold from the next request on. */
export async function setEnterpriseMode(tx: Tx, userId: string, isOn: boolean): Promise<void> {
  await tx.user.update({
    where: { id: userId },
    data: { enterpriseMode: isOn, updatedAt: new Date() },
    select: { id: true },
  });
}
