import type { CurrentUser } from '../../../platform/authentication.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { type toOwnAuditEntryView, translateAuditAction } from '../../audit/index.ts';
import { renderEmptyState, renderTabs } from '../components.ts';
import { renderMoment } from '../format-moment.ts';

interface AccessesPage {
  locale: Locale;
  path: string;
  user: CurrentUser;
  by: 'OTHERS' | 'ME';
  entries: readonly ReturnType<typeof toOwnAuditEntryView>[];
  nextCursor: string | null;
}

const ACTORS = {
  YOU: 'app.settings.accesses.you',
  STAFF: 'app.settings.accesses.staff',
  SOMEBODY: 'app.settings.accesses.somebody',
  SERVICE: 'app.settings.accesses.service',
} as const satisfies Record<string, MessageKey>;

/** Who accessed or changed the data of an account, newest first. */
export function renderAccesses({ locale, path, user, by, entries, nextCursor }: AccessesPage): Html {
  const tabs = [
    { href: path, label: t(locale, 'app.settings.accesses.byOthers'), isCurrent: by === 'OTHERS' },
    { href: `${path}?by=me`, label: t(locale, 'app.settings.accesses.byMe'), isCurrent: by === 'ME' },
  ];
  const next = new URLSearchParams({ ...(by === 'ME' && { by: 'me' }), cursor: nextCursor ?? '' });
  const rows = entries.map(
    ({
      who,
      action,
      outcome,
      createdAt,
    }) => html`<tr><td>${renderMoment(new Date(createdAt), user, locale)}</td><td>${t(locale, ACTORS[who])}</td>
<td>${translateAuditAction(action, locale)}${outcome !== 'SUCCESS' && action !== 'ACCESS_DENIED' && html` ${t(locale, 'app.settings.accesses.refused')}`}</td></tr>`,
  );
  return html`<p>${t(locale, 'app.settings.accesses.text')}</p>
${renderTabs(tabs, t(locale, 'app.settings.accesses'))}${
  rows.length === 0
    ? renderEmptyState(t(locale, 'app.settings.accesses.none'))
    : html`<div class="table" tabindex="0"><table><thead><tr><th scope="col">${t(locale, 'app.settings.accesses.when')}</th><th scope="col">${t(locale, 'app.settings.accesses.who')}</th><th scope="col">${t(locale, 'app.settings.accesses.what')}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}${nextCursor !== null && html`<p><a class="act plain" href="${path}?${String(next)}">${t(locale, 'app.settings.accesses.older')}</a></p>`}`;
}
