import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db, Tx } from '../../../platform/database.ts';
import { querySql, sql } from '../../../platform/sql.ts';
import { type ListRange, toTimePosition } from '../../../shared/list-cursor.ts';

export interface ApiKeyRow {
  id: string;
  name: string;
  tokenPrefix: string;
  scopes: string[];
  allowedNetworks: string[];
  previousExpiresAt: Date | null;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  rotatedAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
}

export interface NewApiKeyToken {
  tokenPrefix: string;
  tokenHash: Uint8Array<ArrayBuffer>;
}

const COLUMNS = sql`
  id, name, token_prefix AS "tokenPrefix", scopes,
  ARRAY(SELECT text(network) FROM unnest(allowed_networks) AS network) AS "allowedNetworks",
  previous_expires_at AS "previousExpiresAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt",
  rotated_at AS "rotatedAt", revoked_at AS "revokedAt", created_at AS "createdAt"`;

export async function insertApiKey(
  tx: Tx,
  key: NewApiKeyToken & {
    id: string;
    accountId: string;
    name: string;
    scopes: readonly string[];
    allowedNetworks: readonly string[];
    expiresAt: Date | null;
  },
): Promise<ApiKeyRow> {
  const [row] = await querySql<ApiKeyRow>(tx)`
    INSERT INTO api_keys (id, account_id, name, token_prefix, token_hash, scopes, allowed_networks, expires_at)
    VALUES (${key.id}, ${key.accountId}, ${key.name}, ${key.tokenPrefix}, ${key.tokenHash}, ${[...key.scopes]}::text[],
            ARRAY(SELECT network(given::inet)::inet FROM unnest(${[...key.allowedNetworks]}::text[]) AS given),
            ${key.expiresAt})
    RETURNING ${COLUMNS}`;
  if (!row) throw new Error('The insert returned no row.');
  return row;
}

export async function listUserApiKeys(
  db: Db,
  accountId: string,
  { skip, take, after }: ListRange,
): Promise<{ rows: ApiKeyRow[]; total: number }> {
  const position = toTimePosition(after);
  const whereAfter = position ? sql`AND (created_at, id) < (${position.at}, ${position.id})` : Prisma.empty;
  const rows = await querySql<ApiKeyRow>(db)`
    SELECT ${COLUMNS} FROM api_keys WHERE account_id = ${accountId} ${whereAfter}
    ORDER BY created_at DESC, id DESC LIMIT ${take} OFFSET ${skip}`;
  return {
    rows,
    total: await db.apiKey.count({ where: { accountId } }),
  };
}

export async function findUserApiKey(db: Db, accountId: string, id: string): Promise<ApiKeyRow | null> {
  const rows = await querySql<ApiKeyRow>(db)`
    SELECT ${COLUMNS} FROM api_keys WHERE id = ${id} AND account_id = ${accountId}`;
  return rows[0] ?? null;
}

export async function findApiKeysByIds(db: Db, ids: string[]): Promise<ApiKeyRow[]> {
  return querySql<ApiKeyRow>(db)`
    SELECT ${COLUMNS} FROM api_keys WHERE id = ANY (${ids}::text[]) ORDER BY created_at DESC, id DESC`;
}

/** Get the names of API keys of an account, by id; those that are no longer stored have none. */
export async function listApiKeyNames(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.apiKey.findMany({
    where: { accountId, id: { in: [...new Set(ids)] } },
    select: { id: true, name: true },
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Expects a locked user. */
export async function countActiveApiKeys(tx: Tx, accountId: string): Promise<number> {
  const isNotExpired = { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
  return tx.apiKey.count({ where: { accountId, revokedAt: null, ...isNotExpired } });
}

/**
 * Replace the token of an active key; null for another one. A token that was never used, since its response was lost,
 * does not end the one before it. `expiresAt` undefined keeps the expiry.
 */
export async function replaceApiKeyToken(
  tx: Tx,
  key: NewApiKeyToken & {
    id: string;
    accountId: string;
    previousExpiresAt: Date;
    expiresAt: Date | null | undefined;
  },
): Promise<ApiKeyRow | null> {
  const rows = await querySql<ApiKeyRow>(tx)`
    UPDATE api_keys
    SET token_prefix = ${key.tokenPrefix}, token_hash = ${key.tokenHash}, is_token_used = false,
        previous_token_hash = CASE WHEN is_token_used OR coalesce(previous_expires_at <= now(), true)
                                   THEN token_hash ELSE previous_token_hash END,
        previous_expires_at = ${key.previousExpiresAt}, rotated_at = now(),
        expires_at = ${key.expiresAt === undefined ? sql`expires_at` : key.expiresAt}
    WHERE id = ${key.id} AND account_id = ${key.accountId} AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > now())
    RETURNING ${COLUMNS}`;
  return rows[0] ?? null;
}

/** Lock a key against a revocation; false if it has ended. */
export async function lockActiveApiKey(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const rows = await querySql<unknown>(tx)`
    SELECT 1 FROM api_keys
    WHERE id = ${id} AND account_id = ${accountId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
    FOR SHARE`;
  return rows.length > 0;
}

/** True for only one of parallel calls. */
export async function markApiKeyRevoked(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const { count } = await tx.apiKey.updateMany({
    where: { id, accountId, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  return count === 1;
}

export async function deleteEndedApiKeys(db: Db, before: Date): Promise<number> {
  const { count } = await db.apiKey.deleteMany({
    where: { OR: [{ revokedAt: { lt: before } }, { expiresAt: { lt: before } }] },
  });
  return count;
}
