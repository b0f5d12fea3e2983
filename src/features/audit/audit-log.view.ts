import type { Static } from 'typebox';
import {
  API_KEY_CHANGE_PREFIX,
  AUDIT_ACTION_NAMES,
  AUDIT_ACTIONS,
  AUDIT_RESOURCE_TYPES,
  AUDIT_SEVERITIES,
  type AuditAction,
  hideMalwareAuditChanges,
} from '../../audit-actions.ts';
import type { AuditEntryRow } from './audit-log.repository.ts';
import { AUDIT_OUTCOMES, type AuditEntry, type OwnAuditEntry } from './audit-log.schemas.ts';

export function toAuditEntryView(row: AuditEntryRow): Static<typeof AuditEntry> {
  return {
    id: row.id,
    sequence: row.sequence === null ? null : Number(row.sequence),
    ...toCommonFields(row),
    actorId: row.actorId,
    subjectId: row.subjectId,
    accountId: row.accountId,
    operation: row.operation,
    ip: row.ip,
    userAgent: row.userAgent,
    requestId: row.requestId,
    createdAt: row.createdAt.toISOString(),
  };
}

/** Show an entry to its subject or actor; of other users it has only the kind. */
export function toOwnAuditEntryView(row: AuditEntryRow, userId: string): Static<typeof OwnAuditEntry> {
  const who = getActorKind(row, userId);
  const facts = toCommonFields(row);
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    who,
    text: formatAuditText(who, facts),
    ...facts,
    changes: hideMalwareAuditChanges(facts.action, facts.changes),
    // Users do not see their own id.
    resourceId: row.resourceType === 'USER' ? null : facts.resourceId,
    accountId: row.accountId,
    ip: who === 'YOU' ? row.ip : null,
    userAgent: who === 'YOU' ? row.userAgent : null,
  };
}

function toCommonFields(row: AuditEntryRow) {
  return {
    action: AUDIT_ACTION_NAMES.find((name) => name === row.action) ?? ('ACCESS_DENIED' as const),
    severity: AUDIT_SEVERITIES.find((name) => name === row.severity) ?? ('LOW' as const),
    resourceType: AUDIT_RESOURCE_TYPES.find((name) => name === row.resourceType) ?? ('SYSTEM' as const),
    resourceId: row.resourceId,
    outcome: AUDIT_OUTCOMES.find((name) => name === row.outcome) ?? ('FAILURE' as const),
    changes: row.changes,
  };
}

type ActorKind = Static<typeof OwnAuditEntry>['who'];

function getActorKind(row: AuditEntryRow, userId: string): ActorKind {
  if (row.actorId === userId) return 'YOU';
  if (row.actorRole !== null && row.actorRole !== 'USER') return 'STAFF';
  return row.byRequest ? 'SOMEBODY' : 'SERVICE';
}

/** Written by `recordRepeatedAccesses`. */
const REPEATS_PREFIX = 'repeats:';

const ACTOR_LABELS: Record<ActorKind, string> = {
  YOU: 'You',
  STAFF: 'Staff of the service',
  SOMEBODY: 'Another user or a visitor',
  SERVICE: 'The service',
};

function formatAuditText(
  who: ActorKind,
  { action, outcome, changes }: { action: AuditAction; outcome: string; changes: string[] },
): string {
  const { meaning } = AUDIT_ACTIONS[action];
  const denialNote = outcome === 'SUCCESS' ? '' : ' It was refused.';
  const repeats = findChange(changes, REPEATS_PREFIX);
  const apiKey = findChange(changes, API_KEY_CHANGE_PREFIX);
  const apiKeyNote = apiKey === undefined ? '' : ` API key: ${apiKey}.`;
  const repeatsNote = repeats === undefined ? '' : ` Times: ${repeats}, from one network.`;
  return `${ACTOR_LABELS[who]}: ${meaning}${denialNote}${apiKeyNote}${repeatsNote}`;
}

function findChange(changes: readonly string[], prefix: string): string | undefined {
  return changes.find((change) => change.startsWith(prefix))?.slice(prefix.length);
}
