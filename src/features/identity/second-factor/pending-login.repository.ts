import type { Db, Tx } from '../../../platform/database.ts';

/** A log-in that waits for its second factor. */
export interface PendingLoginRow {
  tokenHash: Uint8Array<ArrayBuffer>;
  userId: string;
  /** Keyed hash of the password as it was at the first step. */
  passwordState: Uint8Array<ArrayBuffer>;
}

/** Keeps a log-in until its second factor. */
export async function insertPendingLogin(
  tx: Tx,
  login: PendingLoginRow & { expiresAt: Date },
): Promise<void> {
  await tx.pendingLogin.create({ data: login, select: { userId: true } });
}

/** The log-in that waits under this hash; null when unknown, used or expired. */
export async function findPendingLogin(
  db: Db,
  tokenHash: Uint8Array<ArrayBuffer>,
): Promise<PendingLoginRow | null> {
  return db.pendingLogin.findFirst({ where: { tokenHash, expiresAt: { gt: new Date() } } });
}

/** Uses it; of parallel calls a single one gets true. */
export async function consumePendingLogin(tx: Tx, tokenHash: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const { count } = await tx.pendingLogin.deleteMany({ where: { tokenHash } });
  return count === 1;
}

/** Forgets those whose time is over. */
export async function deleteExpiredPendingLogins(db: Db): Promise<number> {
  const { count } = await db.pendingLogin.deleteMany({ where: { expiresAt: { lt: new Date() } } });
  return count;
}
