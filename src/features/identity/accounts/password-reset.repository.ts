import type { Db, Tx } from '../../../platform/database.ts';
import { querySql } from '../../../platform/sql.ts';
import { generateId } from '../../../shared/ids.ts';

/** Null when no account may log in; one statement in both cases. Locks as invalidating links does. */
export async function insertPasswordResetIfLoginAllowed(
  tx: Tx,
  reset: { email: string; tokenHash: Uint8Array<ArrayBuffer>; expiresAt: Date },
): Promise<string | null> {
  const rows = await querySql<{ userId: string }>(tx)`
    INSERT INTO password_resets (id, user_id, token_hash, expires_at)
    SELECT ${generateId()}, id, ${reset.tokenHash}::bytea, ${reset.expiresAt}::timestamptz
    FROM users WHERE email = ${reset.email} AND status IN ('VERIFIED', 'ACTIVE') FOR SHARE
    RETURNING user_id AS "userId"`;
  return rows[0]?.userId ?? null;
}

export async function findPasswordReset(
  db: Db,
  tokenHash: Uint8Array,
): Promise<{ userId: string; email: string } | null> {
  const rows = await querySql<{ userId: string; email: string }>(db)`
    SELECT person.id AS "userId", person.email
    FROM password_resets AS reset JOIN users AS person ON person.id = reset.user_id
    WHERE reset.token_hash = ${tokenHash} AND reset.used_at IS NULL AND reset.expires_at > now()
      AND person.status <> 'DELETED'`;
  return rows[0] ?? null;
}

/** Consume all reset tokens of the user; of parallel calls one returns true. */
export async function consumePasswordReset(tx: Tx, userId: string, tokenHash: Uint8Array): Promise<boolean> {
  // Two tokens of one user, consumed in parallel, would otherwise deadlock.
  await querySql(tx)`SELECT 1 FROM users WHERE id = ${userId} FOR UPDATE`;
  const used = await querySql<unknown>(tx)`
    UPDATE password_resets SET used_at = now()
    WHERE token_hash = ${tokenHash} AND used_at IS NULL AND expires_at > now() RETURNING 1`;
  if (used.length === 0) return false;
  await invalidatePasswordResets(tx, userId);
  return true;
}

export async function invalidatePasswordResets(tx: Tx, userId: string): Promise<void> {
  await tx.passwordReset.updateMany({ where: { userId, usedAt: null }, data: { usedAt: new Date() } });
}

export async function deleteExpiredPasswordResets(db: Db, before: Date): Promise<number> {
  const { count } = await db.passwordReset.deleteMany({ where: { expiresAt: { lt: before } } });
  return count;
}
