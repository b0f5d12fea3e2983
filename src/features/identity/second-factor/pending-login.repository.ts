import type { Db, Tx } from '../../../platform/database.ts';

export interface PendingLoginRow {
  tokenHash: Uint8Array<ArrayBuffer>;
  userId: string;
  /** Keyed hash of the password and the access epoch at the first step. */
  loginFingerprint: Uint8Array<ArrayBuffer>;
  /** Linked when the login is complete; null for a login with the password. */
  identityId: string | null;
}

export async function insertPendingLogin(
  tx: Tx,
  login: PendingLoginRow & { expiresAt: Date },
): Promise<void> {
  await tx.pendingLogin.create({ data: login, select: { userId: true } });
}

export async function findPendingLogin(
  db: Db,
  tokenHash: Uint8Array<ArrayBuffer>,
): Promise<PendingLoginRow | null> {
  return db.pendingLogin.findFirst({ where: { tokenHash, expiresAt: { gt: new Date() } } });
}

export async function consumePendingLogin(tx: Tx, tokenHash: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const { count } = await tx.pendingLogin.deleteMany({ where: { tokenHash } });
  return count === 1;
}

export async function deleteExpiredPendingLogins(db: Db): Promise<number> {
  const { count } = await db.pendingLogin.deleteMany({ where: { expiresAt: { lt: new Date() } } });
  return count;
}
