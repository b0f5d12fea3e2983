import { API_KEY_CHANGE_PREFIX, AUDIT_ACTIONS, type AuditAction } from '../../audit-actions.ts';
import { DEFAULT_LOCALE, type Locale } from '../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../shared/i18n/translate.ts';
import { translateAuditAction } from './translate-audit-action.ts';

/** Who did something, as others may know it. */
export type AuditActorKind = 'YOU' | 'STAFF' | 'SOMEBODY' | 'SERVICE';

/** Written by `recordRepeatedAccesses`. */
const REPEATS_PREFIX = 'repeats:';

const ACTORS = {
  YOU: 'app.settings.accesses.you',
  STAFF: 'auditEntries.staff',
  SOMEBODY: 'app.settings.accesses.somebody',
  SERVICE: 'app.settings.accesses.service',
} as const satisfies Record<AuditActorKind, MessageKey>;

interface AuditFacts {
  action: AuditAction;
  outcome: string;
  changes: readonly string[];
}

export function translateAuditActor(who: AuditActorKind, locale: Locale): string {
  return t(locale, ACTORS[who]);
}

/** Say in words who did what, for users. */
export function formatAuditText(who: AuditActorKind, facts: AuditFacts, locale: Locale): string {
  return formatAuditSummary(translateAuditActor(who, locale), facts, locale);
}

/** The same for an actor with a name. */
export function formatAuditSummary(
  who: string,
  { action, outcome, changes }: AuditFacts,
  locale: Locale,
): string {
  const repeats = findChange(changes, REPEATS_PREFIX);
  const apiKey = findChange(changes, API_KEY_CHANGE_PREFIX);
  return [
    t(locale, 'auditEntries.summary', { who, what: describeAction(action, locale) }),
    outcome !== 'SUCCESS' && t(locale, 'auditEntries.denied'),
    apiKey !== undefined && t(locale, 'auditEntries.apiKey', { key: apiKey }),
    repeats !== undefined && t(locale, 'auditEntries.repeats', { count: repeats }),
  ]
    .filter(Boolean)
    .join(' ');
}

/** English has a sentence for each action, which clients know; the other languages have a short text. */
function describeAction(action: AuditAction, locale: Locale): string {
  return locale === DEFAULT_LOCALE
    ? AUDIT_ACTIONS[action].meaning.replace(/\.$/, '')
    : translateAuditAction(action, locale);
}

function findChange(changes: readonly string[], prefix: string): string | undefined {
  return changes.find((change) => change.startsWith(prefix))?.slice(prefix.length);
}
