import type { Static } from 'typebox';
import {
  AUDIT_ACTION_NAMES,
  AUDIT_ACTIONS,
  type AuditAction,
  changesForPerson,
  RESOURCE_TYPES,
  SEVERITIES,
} from '../../shared/audit-actions.ts';
import type { AuditRow } from './audit-log.repository.ts';
import { type AuditEntry, OUTCOMES, type OwnAuditEntry } from './audit-log.schemas.ts';

/** An entry as auditors see it. */
export function auditEntryView(row: AuditRow): Static<typeof AuditEntry> {
  return {
    id: row.id,
    sequence: row.sequence === null ? null : Number(row.sequence),
    ...common(row),
    actorId: row.actorId,
    subjectId: row.subjectId,
    operation: row.operation,
    ip: row.ip,
    userAgent: row.userAgent,
    requestId: row.requestId,
    createdAt: row.createdAt.toISOString(),
  };
}

/** An entry as the person sees it whose data it is about, or who did it. Of others it tells only what they are. */
export function ownAuditEntryView(row: AuditRow, userId: string): Static<typeof OwnAuditEntry> {
  const who = whoDid(row, userId);
  const facts = common(row);
  return {
    id: row.id,
    at: row.createdAt.toISOString(),
    who,
    text: sentence(who, facts.action, facts.outcome),
    ...facts,
    changes: changesForPerson(facts.action, facts.changes),
    // Oneself is not told by an id.
    resourceId: row.resourceType === 'USER' ? null : facts.resourceId,
    ip: who === 'YOU' ? row.ip : null,
    userAgent: who === 'YOU' ? row.userAgent : null,
  };
}

function common(row: AuditRow) {
  return {
    action: AUDIT_ACTION_NAMES.find((name) => name === row.action) ?? ('ACCESS_DENIED' as const),
    severity: SEVERITIES.find((name) => name === row.severity) ?? ('LOW' as const),
    resourceType: RESOURCE_TYPES.find((name) => name === row.resourceType) ?? ('SYSTEM' as const),
    resourceId: row.resourceId,
    outcome: OUTCOMES.find((name) => name === row.outcome) ?? ('FAILURE' as const),
    changes: row.changes,
  };
}

type Who = Static<typeof OwnAuditEntry>['who'];

function whoDid(row: AuditRow, userId: string): Who {
  if (row.actorId === userId) return 'YOU';
  if (row.actorRole !== null && row.actorRole !== 'USER') return 'STAFF';
  return row.byRequest ? 'SOMEBODY' : 'SERVICE';
}

const SUBJECTS: Record<Who, string> = {
  YOU: 'You',
  STAFF: 'Staff of the service',
  SOMEBODY: 'Somebody',
  SERVICE: 'The service',
};

function sentence(who: Who, action: AuditAction, outcome: string): string {
  const { meaning } = AUDIT_ACTIONS[action];
  const refused = outcome === 'SUCCESS' ? '' : ' It was refused.';
  return `${SUBJECTS[who]}: ${meaning}${refused}`;
}
