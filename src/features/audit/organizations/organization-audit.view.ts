import type { Static } from 'typebox';
import { hideMalwareAuditChanges } from '../../../audit-actions.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { AuditEntryRow } from '../audit-log.repository.ts';
import { getActorKind, toCommonFields } from '../audit-log.view.ts';
import { formatAuditSummary, translateAuditActor } from '../audit-text.ts';
import type { OrganizationAuditEntry } from './organization-audit.schemas.ts';

export interface OrganizationReader {
  userId: string;
  accountId: string;
  /** Of the members who acted. */
  names: ReadonlyMap<string, string | null>;
  locale: Locale;
}

/** Show an entry to an owner: members with their name, others by what they are. */
export function toOrganizationAuditEntryView(
  row: AuditEntryRow,
  { userId, accountId, names, locale }: OrganizationReader,
): Static<typeof OrganizationAuditEntry> {
  const { actorId } = row;
  const isMember = actorId !== null && names.has(actorId);
  const who = getWho();
  const actorName = isMember ? (names.get(actorId) ?? null) : null;
  const facts = toCommonFields(row);
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    who,
    actorId: isMember ? actorId : null,
    actorName,
    text: formatAuditSummary(translateWho(), facts, locale),
    ...facts,
    changes: hideMalwareAuditChanges(facts.action, facts.changes),
    ip: who === 'YOU' ? row.ip : null,
    userAgent: who === 'YOU' ? row.userAgent : null,
  };

  function getWho() {
    if (actorId === userId) return 'YOU';
    if (isMember) return 'MEMBER';
    // Only members act for an organization; an erased one has no id.
    if (row.accountId === accountId) return 'FORMER_MEMBER';
    return getActorKind(row, userId);
  }

  function translateWho(): string {
    if (who === 'MEMBER') return actorName ?? t(locale, 'app.members.unnamed');
    return who === 'FORMER_MEMBER'
      ? t(locale, 'auditEntries.formerMember')
      : translateAuditActor(who, locale);
  }
}
