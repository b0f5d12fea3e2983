import type { Db, Tx } from '../../../platform/database.ts';
import { generateId } from '../../../shared/ids.ts';

/**
 * Notes a link that is being mailed, where the address has an account that may log in, and gives the account's
 * id; null where it has none. One statement in both cases. What voids the person's links waits for this one, or it
 * for that.
 */
export async function insertPasswordReset(
  tx: Tx,
  reset: { email: string; tokenHash: Uint8Array<ArrayBuffer>; expiresAt: Date },
): Promise<string | null> {
  const rows = await tx.$queryRaw<{ userId: string }[]>`
    INSERT INTO password_resets (id, user_id, token_hash, expires_at)
    SELECT ${generateId()}, id, ${reset.tokenHash}::bytea, ${reset.expiresAt}::timestamptz
    FROM users WHERE email = ${reset.email} AND status IN ('VERIFIED', 'ACTIVE') FOR SHARE
    RETURNING user_id AS "userId"`;
  return rows[0]?.userId ?? null;
}

/** Whose link this is, with their address, while it is valid; null otherwise. Uses nothing up. */
export async function findPasswordReset(
  db: Db,
  tokenHash: Uint8Array,
): Promise<{ userId: string; email: string } | null> {
  const rows = await db.$queryRaw<{ userId: string; email: string }[]>`
    SELECT person.id AS "userId", person.email
    FROM password_resets AS reset JOIN users AS person ON person.id = reset.user_id
    WHERE reset.token_hash = ${tokenHash} AND reset.used_at IS NULL AND reset.expires_at > now()
      AND person.status <> 'DELETED'`;
  return rows[0] ?? null;
}

/** Uses a link, and every other one of the same person, up. Of parallel calls a single one gets true. */
export async function consumePasswordReset(tx: Tx, userId: string, tokenHash: Uint8Array): Promise<boolean> {
  // Two links of one person, used at once, would otherwise wait for each other.
  await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${userId} FOR UPDATE`;
  const used = await tx.$queryRaw<unknown[]>`
    UPDATE password_resets SET used_at = now()
    WHERE token_hash = ${tokenHash} AND used_at IS NULL AND expires_at > now() RETURNING 1`;
  if (used.length === 0) return false;
  await invalidatePasswordResets(tx, userId);
  return true;
}

/** Makes every link of a person who is locked worthless. */
export async function invalidatePasswordResets(tx: Tx, userId: string): Promise<void> {
  await tx.passwordReset.updateMany({ where: { userId, usedAt: null }, data: { usedAt: new Date() } });
}

/** Forgets links that ended before this moment. */
export async function deleteExpiredPasswordResets(db: Db, before: Date): Promise<number> {
  const { count } = await db.passwordReset.deleteMany({ where: { expiresAt: { lt: before } } });
  return count;
}
