import type { Db, Tx } from './database.ts';
import { executeSql, querySql } from './sql.ts';

export interface IdempotencyKeyId {
  requester: string;
  operation: string;
  keyHash: Uint8Array<ArrayBuffer>;
}

export interface IdempotencyRecord {
  id: string;
  bodyHash: Uint8Array;
  status: number | null;
  response: Uint8Array | null;
}

export async function findIdempotencyRecord(
  db: Db,
  scope: IdempotencyKeyId,
): Promise<IdempotencyRecord | null> {
  const row = await db.idempotencyKey.findUnique({ where: { requester_operation_keyHash: scope } });
  return row && row.expiresAt > new Date() ? row : null;
}

/** Claim a key in this transaction; false if another request has it. An expired key is taken over. */
export async function claimIdempotencyKey(
  tx: Tx,
  scope: IdempotencyKeyId,
  row: { id: string; bodyHash: Uint8Array; expiresAt: Date },
): Promise<boolean> {
  const claimed = await querySql<unknown>(tx)`
    INSERT INTO idempotency_keys AS known (requester, operation, key_hash, body_hash, id, expires_at)
    VALUES (${scope.requester}, ${scope.operation}, ${scope.keyHash}, ${row.bodyHash}, ${row.id}, ${row.expiresAt})
    ON CONFLICT (requester, operation, key_hash) DO UPDATE
      SET body_hash = excluded.body_hash, id = excluded.id, expires_at = excluded.expires_at,
          status = NULL, response = NULL, content_account_id = NULL
      WHERE known.expires_at <= now()
    RETURNING 1`;
  return claimed.length > 0;
}

/** Whether an account was erased. It cannot be erased until this transaction ends, and then finds what was stored. */
export async function isErasedAccount(tx: Tx, accountId: string): Promise<boolean> {
  const [row] = await querySql<{ isErased: boolean }>(tx)`SELECT is_erased(${accountId}) AS "isErased"`;
  return row?.isErased === true;
}

export async function storeIdempotentResponse(
  tx: Tx,
  scope: IdempotencyKeyId,
  answer: { status: number; response: Uint8Array<ArrayBuffer>; contentAccountId: string | null },
): Promise<void> {
  await tx.idempotencyKey.update({ where: { requester_operation_keyHash: scope }, data: answer });
}

export async function deleteExpiredIdempotencyKeys(db: Db): Promise<number> {
  const { count } = await db.idempotencyKey.deleteMany({ where: { expiresAt: { lt: new Date() } } });
  return count;
}

/** Delete responses stored for a user, and those with content of the user; return their number. */
export async function deleteUserIdempotencyKeys(tx: Tx, userId: string, limit: number): Promise<number> {
  return executeSql(tx)`
    DELETE FROM idempotency_keys WHERE (requester, operation, key_hash) IN (
      SELECT requester, operation, key_hash FROM idempotency_keys WHERE requester = ${userId} OR content_account_id = ${userId} LIMIT ${limit})`;
}
