import type { Static } from 'typebox';
import {
  AUDIT_ACTION_NAMES,
  AUDIT_RESOURCE_TYPES,
  AUDIT_SEVERITIES,
  hideMalwareAuditChanges,
} from '../../audit-actions.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import type { AuditEntryRow } from './audit-log.repository.ts';
import { AUDIT_OUTCOMES, type AuditEntry, type OwnAuditEntry } from './audit-log.schemas.ts';
import { type AuditActorKind, formatAuditText } from './audit-text.ts';

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
export function toOwnAuditEntryView(
  row: AuditEntryRow,
  userId: string,
  locale: Locale,
): Static<typeof OwnAuditEntry> {
  const who = getActorKind(row, userId);
  const facts = toCommonFields(row);
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    who,
    text: formatAuditText(who, facts, locale),
    ...facts,
    changes: hideMalwareAuditChanges(facts.action, facts.changes),
    // Users do not see their own id.
    resourceId: row.resourceType === 'USER' ? null : facts.resourceId,
    accountId: row.accountId,
    ip: who === 'YOU' ? row.ip : null,
    userAgent: who === 'YOU' ? row.userAgent : null,
  };
}

export function toCommonFields(row: AuditEntryRow) {
  return {
    action: AUDIT_ACTION_NAMES.find((name) => name === row.action) ?? ('ACCESS_DENIED' as const),
    severity: AUDIT_SEVERITIES.find((name) => name === row.severity) ?? ('LOW' as const),
    resourceType: AUDIT_RESOURCE_TYPES.find((name) => name === row.resourceType) ?? ('SYSTEM' as const),
    resourceId: row.resourceId,
    outcome: AUDIT_OUTCOMES.find((name) => name === row.outcome) ?? ('FAILURE' as const),
    changes: row.changes,
  };
}

export function getActorKind(row: AuditEntryRow, userId: string): AuditActorKind {
  if (row.actorId === userId) return 'YOU';
  if (row.actorRole !== null && row.actorRole !== 'USER') return 'STAFF';
  return row.byRequest ? 'SOMEBODY' : 'SERVICE';
}
