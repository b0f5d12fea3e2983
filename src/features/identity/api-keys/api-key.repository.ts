import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db, Tx } from '../../../platform/database.ts';
import { executeSql, querySql, sql } from '../../../platform/sql.ts';
import type { AccountRole } from '../../../shared/account-roles.ts';
import { type ListRange, toTimePosition } from '../../../shared/list-cursor.ts';

export interface ApiKeyRow {
  id: string;
  name: string;
  tokenPrefix: string;
  scopes: string[];
  allowedNetworks: string[];
  role: AccountRole;
  createdBy: string;
  /** Null for an erased user. */
  creatorName: string | null;
  creatorStatus: string;
  /** In the account of the key; null for no member. */
  creatorRole: AccountRole | null;
  previousExpiresAt: Date | null;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  rotatedAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
}

/** The keys of an account; with `createdBy` those of one member. */
export interface ApiKeySelection {
  accountId: string;
  createdBy?: string | undefined;
}

export interface NewApiKeyToken {
  tokenPrefix: string;
  tokenHash: Uint8Array<ArrayBuffer>;
}

const COLUMNS = sql`
  key.id, key.name, key.token_prefix AS "tokenPrefix", key.scopes,
  ARRAY(SELECT text(network) FROM unnest(key.allowed_networks) AS network) AS "allowedNetworks",
  key.role, key.created_by AS "createdBy", creator.status AS "creatorStatus", membership.role AS "creatorRole",
  nullif(concat_ws(' ', creator.first_name, creator.last_name), '') AS "creatorName",
  key.previous_expires_at AS "previousExpiresAt", key.expires_at AS "expiresAt", key.last_used_at AS "lastUsedAt",
  key.rotated_at AS "rotatedAt", key.revoked_at AS "revokedAt", key.created_at AS "createdAt"`;

const CREATOR = sql`
  JOIN users AS creator ON creator.id = key.created_by
  LEFT JOIN memberships AS membership
    ON membership.account_id = key.account_id AND membership.user_id = key.created_by`;

export async function insertApiKey(
  tx: Tx,
  key: NewApiKeyToken & {
    id: string;
    accountId: string;
    createdBy: string;
    role: AccountRole;
    name: string;
    scopes: readonly string[];
    allowedNetworks: readonly string[];
    expiresAt: Date | null;
  },
): Promise<ApiKeyRow> {
  const [row] = await querySql<ApiKeyRow>(tx)`
    WITH key AS (
      INSERT INTO api_keys (id, account_id, created_by, role, name, token_prefix, token_hash, scopes, allowed_networks,
                            expires_at)
      VALUES (${key.id}, ${key.accountId}, ${key.createdBy}, ${key.role}, ${key.name}, ${key.tokenPrefix},
              ${key.tokenHash}, ${[...key.scopes]}::text[],
              ARRAY(SELECT network(input::inet)::inet FROM unnest(${[...key.allowedNetworks]}::text[]) AS input),
              ${key.expiresAt})
      RETURNING *
    )
    SELECT ${COLUMNS} FROM key ${CREATOR}`;
  if (!row) throw new Error('The insert returned no row.');
  return row;
}

export async function listApiKeys(
  db: Db,
  selection: ApiKeySelection,
  { skip, take, after }: ListRange,
): Promise<{ rows: ApiKeyRow[]; total: number }> {
  const position = toTimePosition(after);
  const whereAfter = position
    ? sql`AND (key.created_at, key.id) < (${position.at}, ${position.id})`
    : Prisma.empty;
  const rows = await querySql<ApiKeyRow>(db)`
    SELECT ${COLUMNS} FROM api_keys AS key ${CREATOR} WHERE ${createCondition(selection)} ${whereAfter}
    ORDER BY key.created_at DESC, key.id DESC LIMIT ${take} OFFSET ${skip}`;
  const { accountId, createdBy } = selection;
  const total = await db.apiKey.count({
    where: { accountId, ...(createdBy !== undefined && { createdBy }) },
  });
  return { rows, total };
}

export async function findApiKey(db: Db, selection: ApiKeySelection, id: string): Promise<ApiKeyRow | null> {
  const rows = await querySql<ApiKeyRow>(db)`
    SELECT ${COLUMNS} FROM api_keys AS key ${CREATOR} WHERE key.id = ${id} AND ${createCondition(selection)}`;
  return rows[0] ?? null;
}

/** Lock a key against another rotation, take-over or revocation, and find it. */
export async function lockApiKey(tx: Tx, selection: ApiKeySelection, id: string): Promise<ApiKeyRow | null> {
  await querySql(tx)`
    SELECT FROM api_keys AS key WHERE key.id = ${id} AND ${createCondition(selection)} FOR UPDATE`;
  return findApiKey(tx, selection, id);
}

function createCondition({ accountId, createdBy }: ApiKeySelection): Prisma.Sql {
  return createdBy === undefined
    ? sql`key.account_id = ${accountId}`
    : sql`key.account_id = ${accountId} AND key.created_by = ${createdBy}`;
}

export async function findApiKeysByIds(db: Db, accountId: string, ids: string[]): Promise<ApiKeyRow[]> {
  return querySql<ApiKeyRow>(db)`
    SELECT ${COLUMNS} FROM api_keys AS key ${CREATOR}
    WHERE key.account_id = ${accountId} AND key.id = ANY (${ids}::text[])
    ORDER BY key.created_at DESC, key.id DESC`;
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

/** Lock the keys of an account, so that those made at the same time are counted one after the other. */
export async function lockApiKeyCount(tx: Tx, accountId: string): Promise<void> {
  await executeSql(tx)`SELECT pg_advisory_xact_lock(hashtextextended('API keys of ' || ${accountId}, 0))`;
}

/** Expects a locked count. */
export async function countActiveApiKeys(tx: Tx, accountId: string): Promise<number> {
  const isNotExpired = { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
  return tx.apiKey.count({ where: { accountId, revokedAt: null, ...isNotExpired } });
}

/**
 * Replace the token of an active key, which acts as `createdBy` from then on; null for another one. A token that was never
 * used, since its response was lost, does not end the one before it. `expiresAt` undefined keeps the expiry.
 */
export async function replaceApiKeyToken(
  tx: Tx,
  key: NewApiKeyToken & {
    id: string;
    accountId: string;
    createdBy: string;
    role: AccountRole;
    previousExpiresAt: Date;
    expiresAt: Date | null | undefined;
  },
): Promise<ApiKeyRow | null> {
  const rows = await querySql<ApiKeyRow>(tx)`
    WITH key AS (
      UPDATE api_keys
      SET token_prefix = ${key.tokenPrefix}, token_hash = ${key.tokenHash}, is_token_used = false,
          previous_token_hash = CASE WHEN is_token_used OR coalesce(previous_expires_at <= now(), true)
                                     THEN token_hash ELSE previous_token_hash END,
          previous_expires_at = ${key.previousExpiresAt}, rotated_at = now(),
          created_by = ${key.createdBy}, role = ${key.role},
          expires_at = ${key.expiresAt === undefined ? sql`expires_at` : key.expiresAt}
      WHERE id = ${key.id} AND account_id = ${key.accountId} AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > now())
      RETURNING *
    )
    SELECT ${COLUMNS} FROM key ${CREATOR}`;
  return rows[0] ?? null;
}

/** Lock a key of a user, and the membership by which it works, against their end; false if one has ended. */
export async function lockActiveApiKey(tx: Tx, userId: string, id: string): Promise<boolean> {
  const rows = await querySql<unknown>(tx)`
    SELECT 1 FROM api_keys AS key JOIN memberships AS membership
      ON membership.account_id = key.account_id AND membership.user_id = key.created_by
    WHERE key.id = ${id} AND key.created_by = ${userId} AND key.revoked_at IS NULL
      AND (key.expires_at IS NULL OR key.expires_at > now())
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
