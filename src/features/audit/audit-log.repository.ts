import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database.ts';
import { createValuesCondition } from '../../platform/list-filter.repository.ts';
import { querySql, sql } from '../../platform/sql.ts';
import { type ListRange, toTimePosition } from '../../shared/list-cursor.ts';

export interface AuditEntryRow {
  id: string;
  sequence: bigint | null;
  action: string;
  severity: string;
  resourceType: string;
  resourceId: string | null;
  actorId: string | null;
  /** The current role of the actor. */
  actorRole: string | null;
  subjectId: string | null;
  /** The account that the actor acted for; null if it was the actor's own. */
  accountId: string | null;
  outcome: string;
  operation: string;
  /** Whether a request caused it, and not the service itself. */
  byRequest: boolean;
  ip: string | null;
  userAgent: string | null;
  requestId: string;
  changes: string[];
  createdAt: Date;
}

export interface AuditFilter {
  actorId?: string | undefined;
  subjectId?: string | undefined;
  /** Entries of this account: what was done for it, and what was done to its data. */
  accountId?: string | undefined;
  /** Entries whose subject or actor is this user; `by` selects one of both. */
  concerningUser?: { id: string; by?: 'OTHERS' | 'ME' | undefined } | undefined;
  resourceTypes?: readonly string[] | undefined;
  resourceId?: string | undefined;
  actions?: readonly string[] | undefined;
  severities?: readonly string[] | undefined;
  outcomes?: readonly string[] | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Position just after an entry, newest first. */
export interface AuditCursor {
  at: Date;
  id: string;
}

export async function listAuditEntries(
  db: Db,
  filter: AuditFilter,
  { skip, take, after }: ListRange,
): Promise<{ rows: AuditEntryRow[]; total: number }> {
  if (after !== undefined) {
    return { rows: await listAuditEntriesAfter(db, filter, toTimePosition(after), take), total: 0 };
  }
  const branches = buildAuditBranches(filter);
  const rows = await selectAuditEntries(db, branches, { skip, take });
  const counts = branches.map((where) => sql`(SELECT count(*) FROM audit_entries AS entry WHERE ${where})`);
  const counted = await querySql<{ total: bigint }>(db)`SELECT ${Prisma.join(counts, ' + ')} AS total`;
  return { rows, total: Number(counted[0]?.total ?? 0) };
}

/** List entries after a cursor (null: from the beginning); the cost does not grow with the depth. */
export async function listAuditEntriesAfter(
  db: Db,
  filter: AuditFilter,
  cursor: AuditCursor | null,
  take: number,
): Promise<AuditEntryRow[]> {
  const branches = buildAuditBranches(filter).map((where) =>
    cursor ? sql`${where} AND (entry.created_at, entry.id) < (${cursor.at}, ${cursor.id})` : where,
  );
  return selectAuditEntries(db, branches, { skip: 0, take });
}

/** Select the page by an index first and join only its rows. */
function selectAuditEntries(
  db: Db,
  branches: readonly Prisma.Sql[],
  { skip, take }: { skip: number; take: number },
): Promise<AuditEntryRow[]> {
  const candidates = branches.map(
    (where) => sql`
      (SELECT * FROM audit_entries AS entry WHERE ${where}
       ORDER BY entry.created_at DESC, entry.id DESC LIMIT ${skip + take})`,
  );
  return querySql<AuditEntryRow>(db)`
    SELECT entry.id, seal.sequence, entry.action, entry.severity, entry.resource_type AS "resourceType",
           CASE WHEN entry.resource_type IN ('USER', 'ORGANIZATION') THEN resource.user_id ELSE entry.resource_id END
             AS "resourceId",
           actor.user_id AS "actorId", actor_user.role AS "actorRole", subject.user_id AS "subjectId",
           account.user_id AS "accountId", entry.outcome, entry.operation, entry.ip_hash IS NOT NULL AS "byRequest", origin.ip, origin.user_agent AS "userAgent",
           entry.request_id AS "requestId", entry.changes, entry.created_at AS "createdAt"
    FROM (SELECT * FROM (${Prisma.join(candidates, ' UNION ALL ')}) AS entry
          ORDER BY entry.created_at DESC, entry.id DESC LIMIT ${take} OFFSET ${skip}) AS entry
    LEFT JOIN audit_seals AS seal ON seal.entry_id = entry.id
    LEFT JOIN audit_origins AS origin ON origin.entry_id = entry.id
    LEFT JOIN audit_actors AS actor ON actor.reference = entry.actor_reference
    LEFT JOIN users AS actor_user ON actor_user.id = actor.user_id
    LEFT JOIN audit_actors AS subject ON subject.reference = entry.subject_reference
    LEFT JOIN audit_actors AS account ON account.reference = entry.account_reference
    LEFT JOIN audit_actors AS resource
      ON entry.resource_type IN ('USER', 'ORGANIZATION') AND resource.reference = entry.resource_id
    ORDER BY entry.created_at DESC, entry.id DESC`;
}

/**
 * Entries by a user and those by others have an index each, as have those done for an account and those about it; an OR
 * would read and sort all of them. No entry is in two branches.
 */
function buildAuditBranches(filter: AuditFilter): Prisma.Sql[] {
  const { concerningUser, accountId } = filter;
  const ofUser = concerningUser
    ? (concerningUser.by ? [concerningUser.by] : (['OTHERS', 'ME'] as const)).map((by) =>
        buildUserCondition(concerningUser.id, by),
      )
    : [sql`true`];
  const ofAccount = accountId ? buildAccountConditions(accountId) : [sql`true`];
  const others = buildAuditConditions(filter);
  return ofUser.flatMap((user) => ofAccount.map((account) => Prisma.join([user, account, others], ' AND ')));
}

function buildAuditConditions(filter: AuditFilter): Prisma.Sql {
  const { actorId, subjectId, resourceTypes, resourceId, actions, severities, outcomes, from, to } = filter;
  const parts = [sql`true`];
  if (actorId) parts.push(sql`entry.actor_reference = ${selectActorReference(actorId)}`);
  if (subjectId) parts.push(sql`entry.subject_reference = ${selectActorReference(subjectId)}`);
  if (resourceTypes?.length) parts.push(createValuesCondition(sql`entry.resource_type`, resourceTypes));
  if (resourceId) parts.push(createResourceCondition(resourceId, resourceTypes));
  if (actions?.length) parts.push(createValuesCondition(sql`entry.action`, actions));
  if (severities?.length) parts.push(createValuesCondition(sql`entry.severity`, severities));
  if (outcomes?.length) parts.push(createValuesCondition(sql`entry.outcome`, outcomes));
  if (from) parts.push(sql`entry.created_at >= ${from}`);
  if (to) parts.push(sql`entry.created_at < ${to}`);
  return Prisma.join(parts, ' AND ');
}

/**
 * Users and organizations are stored by reference; ids of other types never equal a reference. A single value keeps the
 * order of the index.
 */
function createResourceCondition(resourceId: string, types: AuditFilter['resourceTypes'] = []): Prisma.Sql {
  if (types.length > 0 && !types.includes('USER') && !types.includes('ORGANIZATION'))
    return sql`entry.resource_id = ${resourceId}`;
  return sql`entry.resource_id IN (${resourceId}, ${selectActorReference(resourceId)})`;
}

function buildUserCondition(id: string, by: 'OTHERS' | 'ME'): Prisma.Sql {
  const reference = selectActorReference(id);
  return by === 'ME'
    ? sql`entry.actor_reference = ${reference}`
    : sql`entry.subject_reference = ${reference} AND entry.actor_reference IS DISTINCT FROM ${reference}`;
}

/** What others did for the account, what its user did for it, and what was done to its data otherwise. */
function buildAccountConditions(id: string): Prisma.Sql[] {
  const reference = selectActorReference(id);
  return [
    sql`entry.account_reference = ${reference}`,
    sql`entry.actor_reference = ${reference} AND entry.account_reference IS NULL`,
    sql`entry.subject_reference = ${reference} AND entry.account_reference IS DISTINCT FROM ${reference}
        AND (entry.account_reference IS NOT NULL OR entry.actor_reference IS DISTINCT FROM ${reference})`,
  ];
}

/** Of a user or an organization. */
function selectActorReference(id: string): Prisma.Sql {
  return sql`(SELECT reference FROM audit_actors WHERE user_id = ${id})`;
}
