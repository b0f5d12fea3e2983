import type { Db, Tx } from '../../../platform/database.ts';
import { executeSql } from '../../../platform/sql.ts';

export async function replaceRecoveryCodes(
  tx: Tx,
  userId: string,
  hashes: readonly Uint8Array<ArrayBuffer>[],
): Promise<void> {
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({ data: hashes.map((codeHash) => ({ userId, codeHash })) });
}

export async function consumeRecoveryCode(tx: Tx, userId: string, codeHash: Uint8Array): Promise<boolean> {
  const count = await executeSql(tx)`
    UPDATE recovery_codes SET used_at = now()
    WHERE user_id = ${userId} AND code_hash = ${codeHash}::bytea AND used_at IS NULL`;
  return count === 1;
}

export async function countUnusedRecoveryCodes(db: Db, userId: string): Promise<number> {
  return db.recoveryCode.count({ where: { userId, usedAt: null } });
}
