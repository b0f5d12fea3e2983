import type { Static } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { type AuditEntry, translateAuditAction } from '../../audit/index.ts';
import { formatListPath } from '../cursor-pages.ts';
import { renderMoment } from '../format-moment.ts';
import { translateOutcome, translateSeverity } from './audit-filters.ts';

type Entry = Static<typeof AuditEntry>;

interface Reader {
  /** Of the list. */
  path: string;
  reader: { timeZone: string };
  locale: Locale;
}

/** Render entries of the audit trail, each with the way to others of the same people and record. */
export function renderAuditEntries(entries: readonly Entry[], context: Reader): Html {
  return html`<ul class="cards rows">${entries.map((entry) => renderEntry(entry, context))}</ul>`;
}

function renderEntry(entry: Entry, { path, reader, locale }: Reader): Html {
  const { action, severity, outcome, actorId, subjectId, accountId, resourceId, resourceType, sequence } =
    entry;
  const link = (name: 'actorId' | 'subjectId' | 'accountId' | 'resourceId', id: string | null) =>
    id === null ? undefined : html`<a href="${formatListPath(path, { [name]: id })}"><bdi>${id}</bdi></a>`;
  const facts: [string, string | Html | undefined][] = [
    [t(locale, 'app.staff.audit.actor'), link('actorId', actorId) ?? t(locale, 'app.staff.audit.nobody')],
    [t(locale, 'app.staff.audit.account'), link('accountId', accountId)],
    [t(locale, 'app.staff.audit.subject'), link('subjectId', subjectId)],
    [
      t(locale, 'app.staff.audit.resource'),
      html`<bdi lang="en">${resourceType}</bdi>${resourceId !== null && html` ${link('resourceId', resourceId)}`}`,
    ],
    [t(locale, 'app.staff.audit.changes'), renderText(entry.changes.join(', '))],
    [t(locale, 'app.staff.audit.operation'), renderText(entry.operation)],
    [t(locale, 'app.staff.audit.address'), renderText(entry.ip)],
    [t(locale, 'app.staff.audit.device'), renderText(entry.userAgent)],
    [t(locale, 'app.staff.audit.request'), renderText(entry.requestId)],
    [
      t(locale, 'app.staff.audit.sequence'),
      sequence === null ? t(locale, 'app.staff.audit.notSealed') : String(sequence),
    ],
  ];
  const isGrave = severity === 'CRITICAL' || outcome !== 'SUCCESS';
  return html`<li><div><h2>${translateAuditAction(action, locale)}</h2>
<p class="small">${renderMoment(new Date(entry.createdAt), reader, locale)} · <span class="${isGrave ? 'chip is-lost' : 'chip'}">${translateSeverity(severity, locale)}${outcome !== 'SUCCESS' && html`, ${translateOutcome(outcome, locale)}`}</span></p>
<details><summary><bdi lang="en">${action}</bdi></summary><dl>${facts
    .filter(([, value]) => value !== undefined)
    .map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl></details></div></li>
`;
}

function renderText(text: string | null): Html | undefined {
  return text ? html`<bdi>${text}</bdi>` : undefined;
}
