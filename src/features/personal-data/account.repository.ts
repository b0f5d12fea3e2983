import type { Db, Tx } from '../../platform/database.ts';
import { querySql } from '../../platform/sql.ts';

export interface LockedExistingUser {
  id: string;
  email: string;
  role: string;
  passwordHash: string | null;
  profilePicture: string | null;
}

/** Check that an account exists and was not erased. */
export async function isExistingUser(db: Db, userId: string): Promise<boolean> {
  return (await db.user.count({ where: { id: userId, status: { not: 'DELETED' } } })) === 1;
}

/** Lock an account, so that no rows are added to it until the transaction ends; null if absent or erased. */
export async function lockExistingUser(tx: Tx, userId: string): Promise<LockedExistingUser | null> {
  const rows = await querySql<LockedExistingUser>(tx)`
    SELECT id, email, role, password_hash AS "passwordHash", profile_picture AS "profilePicture"
    FROM users WHERE id = ${userId} AND status <> 'DELETED' FOR UPDATE`;
  return rows[0] ?? null;
}
