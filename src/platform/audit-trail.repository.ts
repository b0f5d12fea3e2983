import { Prisma } from '../generated/prisma/client.ts';
import type { TimeCursor } from '../shared/time-cursor.ts';
import type { Db, Tx } from './database.ts';
import type { ErasureBatchOptions, ErasureRow } from './personal-data.ts';
import { executeSql, querySql, sql } from './sql.ts';

export interface UserAuditEntryRow {
  id: string;
  action: string;
  outcome: string;
  resourceType: string;
  resourceId: string | null;
  operation: string;
  changes: string[];
  createdAt: Date;
  /** Null for entries of other actors. */
  ip: string | null;
  userAgent: string | null;
  hasActor: boolean;
  /** The organization that the user acted for; null for entries of other actors. */
  accountId: string | null;
}

export async function findUserAuditReference(db: Db, userId: string): Promise<string | null> {
  const row = await db.auditActor.findUnique({ where: { userId }, select: { reference: true } });
  return row?.reference ?? null;
}

export async function listAuditEntriesByUser(
  db: Db,
  reference: string,
  after: TimeCursor | null,
  take: number,
): Promise<UserAuditEntryRow[]> {
  return querySql<UserAuditEntryRow>(db)`
    SELECT entry.id, action, outcome, resource_type AS "resourceType", resource_id AS "resourceId", operation, changes,
           created_at AS "createdAt", origin.ip, origin.user_agent AS "userAgent", true AS "hasActor", account.user_id AS "accountId"
    FROM audit_entries AS entry LEFT JOIN audit_origins AS origin ON origin.entry_id = entry.id
    LEFT JOIN audit_actors AS account ON account.reference = entry.account_reference
    WHERE actor_reference = ${reference} ${whereAfter(after)}
    ORDER BY created_at DESC, entry.id DESC LIMIT ${take}`;
}

/** List entries by others about the user and the user's records, newest first, after a cursor (null: from the newest on). */
export async function listAuditEntriesAboutUser(
  db: Db,
  reference: string,
  after: TimeCursor | null,
  take: number,
): Promise<UserAuditEntryRow[]> {
  return querySql<UserAuditEntryRow>(db)`
    SELECT entry.id, action, outcome, resource_type AS "resourceType", resource_id AS "resourceId", operation, changes,
           created_at AS "createdAt", NULL AS ip, NULL AS "userAgent", actor_reference IS NOT NULL AS "hasActor",
           NULL AS "accountId"
    FROM audit_entries AS entry
    WHERE subject_reference = ${reference} AND actor_reference IS DISTINCT FROM ${reference} ${whereAfter(after)}
    ORDER BY created_at DESC, entry.id DESC LIMIT ${take}`;
}

/** Count entries by and about a user, each up to a limit. */
export async function countUserAuditEntries(db: Db, userId: string, limit: number): Promise<number> {
  const [row] = await querySql<{ count: number }>(db)`
    WITH actor AS (
      SELECT reference FROM audit_actors WHERE user_id = ${userId}
    )
    SELECT (
      (SELECT count(*) FROM (SELECT FROM audit_entries
                             WHERE actor_reference = (SELECT reference FROM actor) LIMIT ${limit}) AS counted)
      + (SELECT count(*) FROM (SELECT FROM audit_entries
                               WHERE subject_reference = (SELECT reference FROM actor) LIMIT ${limit}) AS counted)
    )::int AS count`;
  return row?.count ?? 0;
}

/** Delete addresses and user agents of the user's actions, and of failed logins to the account. True once none remain. */
export async function deleteUserAuditOrigins(
  tx: Tx,
  { auditReference }: ErasureRow,
  { limit }: ErasureBatchOptions,
): Promise<boolean> {
  if (auditReference === null) return true;
  const count = await executeSql(tx)`
    DELETE FROM audit_origins WHERE entry_id IN (
      (SELECT entry.id FROM audit_entries AS entry JOIN audit_origins AS origin ON origin.entry_id = entry.id
       WHERE entry.actor_reference = ${auditReference} LIMIT ${limit})
      UNION ALL
      (SELECT entry.id FROM audit_entries AS entry JOIN audit_origins AS origin ON origin.entry_id = entry.id
       WHERE entry.resource_type = 'USER' AND entry.resource_id = ${auditReference} AND entry.actor_reference IS NULL
       LIMIT ${limit}))`;
  return count < limit;
}

function whereAfter(after: TimeCursor | null): Prisma.Sql {
  return after ? sql`AND (created_at, entry.id) < (${after.at}, ${after.id})` : Prisma.empty;
}
