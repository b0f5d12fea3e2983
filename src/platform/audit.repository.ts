import { createHash, randomBytes } from 'node:crypto';
import { AUDIT_ACTIONS, type AuditAction, type AuditResourceType } from '../audit-actions.ts';
import { generateId } from '../shared/ids.ts';
import type { Db } from './database.ts';
import { executeSql } from './sql.ts';

/** An audit entry. Users and organizations are given by id and stored as a random reference. */
export interface NewAuditEntry {
  action: AuditAction;
  outcome: 'SUCCESS' | 'DENIED' | 'FAILURE';
  resourceType?: AuditResourceType | undefined;
  resourceId?: string | undefined;
  actorId?: string | undefined;
  /** The account that the actor acts for; stored if it is not the actor's own. */
  accountId?: string | undefined;
  operation: string;
  requestId: string;
  origin?: { ip: string; userAgent: string } | undefined;
  /** Names of changed fields, never values; for malware its name. */
  changes?: readonly string[] | undefined;
}

/** Insert an audit entry in the transaction of the change, with salted hashes of IP address and user agent. */
export async function insertAuditEntry(db: Db, record: NewAuditEntry): Promise<void> {
  const { severity, resourceType: defaultResourceType } = AUDIT_ACTIONS[record.action];
  const resourceType = record.resourceType ?? defaultResourceType;
  const resourceId = record.resourceId ?? null;
  const salt = randomBytes(16);
  const ip = record.origin?.ip ?? '';
  const userAgent = record.origin?.userAgent ?? '';
  const origin = record.origin !== undefined;
  await executeSql(db)`
    WITH entry AS (
      INSERT INTO audit_entries (id, action, severity, resource_type, resource_id, actor_reference,
                                 subject_reference, account_reference, outcome, operation, ip_hash, user_agent_hash, request_id,
                                 changes)
      VALUES (
        ${generateId()}, ${record.action}, ${severity}, ${resourceType},
        CASE WHEN ${hasReference(resourceType)}
             THEN (SELECT reference FROM audit_actors WHERE user_id = ${resourceId})
             ELSE ${resourceId} END,
        (SELECT reference FROM audit_actors WHERE user_id = ${record.actorId ?? null}),
        audit_subject(${resourceType}, ${resourceId}),
        (SELECT reference FROM audit_actors WHERE user_id = ${getOtherAccountId(record)}),
        ${record.outcome}, ${record.operation},
        ${origin ? computeSaltedHash(salt, ip) : null}, ${origin ? computeSaltedHash(salt, userAgent) : null},
        ${record.requestId}, ${[...(record.changes ?? [])]}
      )
      RETURNING id
    )
    INSERT INTO audit_origins (entry_id, salt, ip, user_agent)
    SELECT id, ${salt}, ${ip}, ${userAgent} FROM entry WHERE ${origin}`;
}

export async function insertAuditEntries(
  db: Db,
  record: Omit<NewAuditEntry, 'resourceId'>,
  resourceIds: readonly string[],
): Promise<void> {
  if (resourceIds.length === 0) return;
  const { severity, resourceType: defaultResourceType } = AUDIT_ACTIONS[record.action];
  const resourceType = record.resourceType ?? defaultResourceType;
  const ip = record.origin?.ip ?? '';
  const userAgent = record.origin?.userAgent ?? '';
  const origin = record.origin !== undefined;
  const salts = resourceIds.map(() => randomBytes(16));
  const hashes = (value: string) => salts.map((salt) => computeSaltedHash(salt, value).toString('hex'));
  await executeSql(db)`
    WITH wanted AS MATERIALIZED (
      SELECT id, resource_id, decode(salt, 'hex') AS salt, decode(ip_hash, 'hex') AS ip_hash,
             decode(user_agent_hash, 'hex') AS user_agent_hash
      FROM unnest(${resourceIds.map(() => generateId())}::text[], ${[...resourceIds]}::text[],
                  ${salts.map((salt) => salt.toString('hex'))}::text[], ${hashes(ip)}::text[],
                  ${hashes(userAgent)}::text[]) AS input (id, resource_id, salt, ip_hash, user_agent_hash)
    ), entries AS (
      INSERT INTO audit_entries (id, action, severity, resource_type, resource_id, actor_reference,
                                 subject_reference, account_reference, outcome, operation, ip_hash, user_agent_hash, request_id,
                                 changes)
      SELECT id, ${record.action}, ${severity}, ${resourceType},
             CASE WHEN ${hasReference(resourceType)}
                  THEN (SELECT reference FROM audit_actors WHERE user_id = wanted.resource_id)
                  ELSE wanted.resource_id END,
             (SELECT reference FROM audit_actors WHERE user_id = ${record.actorId ?? null}),
             audit_subject(${resourceType}, wanted.resource_id),
             (SELECT reference FROM audit_actors WHERE user_id = ${getOtherAccountId(record)}),
             ${record.outcome}, ${record.operation},
             CASE WHEN ${origin} THEN ip_hash END, CASE WHEN ${origin} THEN user_agent_hash END,
             ${record.requestId}, ${[...(record.changes ?? [])]}::text[]
      FROM wanted
    )
    INSERT INTO audit_origins (entry_id, salt, ip, user_agent)
    SELECT id, salt, ${ip}, ${userAgent} FROM wanted WHERE ${origin}`;
}

/** Give an organization its random reference in the trail. Users get theirs by a trigger. */
export async function insertAuditActor(db: Db, accountId: string): Promise<void> {
  await db.auditActor.create({ data: { reference: randomBytes(12).toString('hex'), userId: accountId } });
}

function hasReference(resourceType: AuditResourceType): boolean {
  return resourceType === 'USER' || resourceType === 'ORGANIZATION';
}

/** Null where users act for themselves, so that their entries are sealed as before there were organizations. */
function getOtherAccountId({
  accountId,
  actorId,
}: Pick<NewAuditEntry, 'accountId' | 'actorId'>): string | null {
  return accountId === undefined || accountId === actorId ? null : accountId;
}

function computeSaltedHash(salt: Buffer, value: string): Buffer {
  return createHash('sha256').update(salt).update(value).digest();
}
