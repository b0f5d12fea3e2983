import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database.ts';
import type { RowCursor } from './personal-rows.repository.ts';

/** An audit entry that concerns a person. */
export interface AuditTrailRow {
  id: string;
  action: string;
  outcome: string;
  resourceType: string;
  resourceId: string | null;
  operation: string;
  changes: string[];
  createdAt: Date;
  /** Where it came from: of their own doing alone. */
  ip: string | null;
  userAgent: string | null;
  /** Whether somebody with an account did it. */
  hasActor: boolean;
}

/** The reference that stands for a person in the trail; null when there is none. */
export async function findAuditReference(db: Db, userId: string): Promise<string | null> {
  const row = await db.auditActor.findUnique({ where: { userId }, select: { reference: true } });
  return row?.reference ?? null;
}

/** What a person did, newest first, after a place (null: from the newest on). */
export async function listAuditEntriesByUser(
  db: Db,
  reference: string,
  after: RowCursor | null,
  take: number,
): Promise<AuditTrailRow[]> {
  return db.$queryRaw<AuditTrailRow[]>`
    SELECT entry.id, action, outcome, resource_type AS "resourceType", resource_id AS "resourceId", operation, changes,
           created_at AS "createdAt", origin.ip, origin.user_agent AS "userAgent", true AS "hasActor"
    FROM audit_entries AS entry LEFT JOIN audit_origins AS origin ON origin.entry_id = entry.id
    WHERE actor_reference = ${reference} ${whereAfter(after)}
    ORDER BY created_at DESC, entry.id DESC LIMIT ${take}`;
}

/** What others did to the person and to what is theirs, newest first, after a place (null: from the newest on). */
export async function listAuditEntriesAboutUser(
  db: Db,
  reference: string,
  after: RowCursor | null,
  take: number,
): Promise<AuditTrailRow[]> {
  return db.$queryRaw<AuditTrailRow[]>`
    SELECT entry.id, action, outcome, resource_type AS "resourceType", resource_id AS "resourceId", operation, changes,
           created_at AS "createdAt", NULL AS ip, NULL AS "userAgent", actor_reference IS NOT NULL AS "hasActor"
    FROM audit_entries AS entry
    WHERE subject_reference = ${reference} AND actor_reference IS DISTINCT FROM ${reference} ${whereAfter(after)}
    ORDER BY created_at DESC, entry.id DESC LIMIT ${take}`;
}

function whereAfter(after: RowCursor | null): Prisma.Sql {
  return after ? Prisma.sql`AND (created_at, entry.id) < (${after.at}, ${after.id})` : Prisma.empty;
}
