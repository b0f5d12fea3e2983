import type { Db, Tx } from '../../../platform/database.ts';
import { querySql } from '../../../platform/sql.ts';
import { generateId } from '../../../shared/ids.ts';

export async function insertSignInCode(
  tx: Tx,
  code: {
    identityId: string;
    codeHash: Uint8Array<ArrayBuffer>;
    codeChallenge: string | null;
    expiresAt: Date;
  },
): Promise<void> {
  await tx.signInCode.create({ data: { id: generateId(), ...code }, select: { id: true } });
}

export async function findSignInCode(db: Db, codeHash: Uint8Array): Promise<{ userId: string } | null> {
  const rows = await querySql<{ userId: string }>(db)`
    SELECT identity.user_id AS "userId"
    FROM sign_in_codes AS code JOIN user_identities AS identity ON identity.id = code.identity_id
    WHERE code.code_hash = ${codeHash} AND code.used_at IS NULL AND code.expires_at > now()`;
  return rows[0] ?? null;
}

/** Null when unknown, used or expired. Of parallel calls one gets the code. */
export async function consumeSignInCode(
  tx: Tx,
  codeHash: Uint8Array,
): Promise<{ userId: string; identityId: string; codeChallenge: string | null } | null> {
  const rows = await querySql<{ userId: string; identityId: string; codeChallenge: string | null }>(tx)`
    UPDATE sign_in_codes AS code SET used_at = now()
    FROM user_identities AS identity
    WHERE code.code_hash = ${codeHash} AND code.used_at IS NULL AND code.expires_at > now()
      AND identity.id = code.identity_id
    RETURNING identity.user_id AS "userId", identity.id AS "identityId", code.code_challenge AS "codeChallenge"`;
  return rows[0] ?? null;
}

/** End the sign-ins that have not been exchanged for a session yet; expects a locked user. */
export async function deleteUserSignInCodes(tx: Tx, userId: string): Promise<void> {
  await tx.signInCode.deleteMany({ where: { identity: { userId } } });
}

export async function deleteExpiredSignInCodes(db: Db, before: Date): Promise<number> {
  const { count } = await db.signInCode.deleteMany({ where: { expiresAt: { lt: before } } });
  return count;
}
