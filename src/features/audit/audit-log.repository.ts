import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database.ts';

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
  /** Entries whose subject or actor is this user; `by` selects one of both. */
  concerningUser?: { id: string; by?: 'OTHERS' | 'ME' | undefined } | undefined;
  resourceType?: string | undefined;
  resourceId?: string | undefined;
  action?: string | undefined;
  severity?: string | undefined;
  outcome?: string | undefined;
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
  page: { skip: number; take: number },
): Promise<{ rows: AuditEntryRow[]; total: number }> {
  const where = buildAuditConditions(filter);
  const rows = await selectAuditEntries(db, where, page);
  const counted = await db.$queryRaw<{ total: bigint }[]>`
    SELECT count(*) AS total FROM audit_entries AS entry WHERE ${where}`;
  return { rows, total: Number(counted[0]?.total ?? 0) };
}

/** List entries after a cursor (null: from the beginning); the cost does not grow with the depth. */
export async function listAuditEntriesAfter(
  db: Db,
  filter: AuditFilter,
  cursor: AuditCursor | null,
  take: number,
): Promise<AuditEntryRow[]> {
  const where = buildAuditConditions(filter);
  const conditions = cursor
    ? Prisma.sql`${where} AND (entry.created_at, entry.id) < (${cursor.at}, ${cursor.id})`
    : where;
  return selectAuditEntries(db, conditions, { skip: 0, take });
}

/** Select the page by an index first and join only its rows. */
function selectAuditEntries(
  db: Db,
  where: Prisma.Sql,
  { skip, take }: { skip: number; take: number },
): Promise<AuditEntryRow[]> {
  return db.$queryRaw<AuditEntryRow[]>`
    SELECT entry.id, seal.sequence, entry.action, entry.severity, entry.resource_type AS "resourceType",
           CASE WHEN entry.resource_type = 'USER' THEN resource.user_id ELSE entry.resource_id END AS "resourceId",
           actor.user_id AS "actorId", actor_user.role AS "actorRole", subject.user_id AS "subjectId", entry.outcome,
           entry.operation, entry.ip_hash IS NOT NULL AS "byRequest", origin.ip, origin.user_agent AS "userAgent",
           entry.request_id AS "requestId", entry.changes, entry.created_at AS "createdAt"
    FROM (SELECT * FROM audit_entries AS entry WHERE ${where}
          ORDER BY entry.created_at DESC, entry.id DESC LIMIT ${take} OFFSET ${skip}) AS entry
    LEFT JOIN audit_seals AS seal ON seal.entry_id = entry.id
    LEFT JOIN audit_origins AS origin ON origin.entry_id = entry.id
    LEFT JOIN audit_actors AS actor ON actor.reference = entry.actor_reference
    LEFT JOIN users AS actor_user ON actor_user.id = actor.user_id
    LEFT JOIN audit_actors AS subject ON subject.reference = entry.subject_reference
    LEFT JOIN audit_actors AS resource ON entry.resource_type = 'USER' AND resource.reference = entry.resource_id
    ORDER BY entry.created_at DESC, entry.id DESC`;
}

function buildAuditConditions(filter: AuditFilter): Prisma.Sql {
  const {
    actorId,
    subjectId,
    concerningUser,
    resourceType,
    resourceId,
    action,
    severity,
    outcome,
    from,
    to,
  } = filter;
  const parts = [Prisma.sql`true`];
  if (actorId) parts.push(Prisma.sql`entry.actor_reference = ${selectActorReference(actorId)}`);
  if (subjectId) parts.push(Prisma.sql`entry.subject_reference = ${selectActorReference(subjectId)}`);
  if (concerningUser) parts.push(buildUserCondition(concerningUser.id, concerningUser.by));
  if (resourceType) parts.push(Prisma.sql`entry.resource_type = ${resourceType}`);
  // Users are stored by reference; ids of other types never equal a reference.
  if (resourceId)
    parts.push(Prisma.sql`entry.resource_id IN (${resourceId}, ${selectActorReference(resourceId)})`);
  if (action) parts.push(Prisma.sql`entry.action = ${action}`);
  if (severity) parts.push(Prisma.sql`entry.severity = ${severity}`);
  if (outcome) parts.push(Prisma.sql`entry.outcome = ${outcome}`);
  if (from) parts.push(Prisma.sql`entry.created_at >= ${from}`);
  if (to) parts.push(Prisma.sql`entry.created_at < ${to}`);
  return Prisma.join(parts, ' AND ');
}

function buildUserCondition(id: string, by: 'OTHERS' | 'ME' | undefined): Prisma.Sql {
  const reference = selectActorReference(id);
  if (by === 'ME') return Prisma.sql`entry.actor_reference = ${reference}`;
  const about = Prisma.sql`entry.subject_reference = ${reference}`;
  return by === 'OTHERS'
    ? Prisma.sql`${about} AND entry.actor_reference IS DISTINCT FROM ${reference}`
    : Prisma.sql`(${about} OR entry.actor_reference = ${reference})`;
}

function selectActorReference(userId: string): Prisma.Sql {
  return Prisma.sql`(SELECT reference FROM audit_actors WHERE user_id = ${userId})`;
}
