import type { Db } from '../../../platform/database.ts';
import { executeSql } from '../../../platform/sql.ts';

/** True for the first use over all instances. */
export async function consumeSignInProof(
  db: Db,
  proof: { kind: 'STATE' | 'ID_TOKEN'; hash: Uint8Array; expiresAt: Date },
): Promise<boolean> {
  const inserted = await executeSql(db)`
    INSERT INTO used_sign_in_proofs (kind, proof_hash, expires_at)
    VALUES (${proof.kind}, ${proof.hash}::bytea, ${proof.expiresAt}::timestamptz)
    ON CONFLICT DO NOTHING`;
  return inserted === 1;
}

export async function deleteExpiredSignInProofs(db: Db): Promise<number> {
  const { count } = await db.usedSignInProof.deleteMany({ where: { expiresAt: { lt: new Date() } } });
  return count;
}
