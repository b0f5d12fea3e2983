import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import {
  type toOrganizationAuditEntryView,
  translateAuditAction,
  type verifyOrganizationEntries,
} from '../../audit/index.ts';
import type { MemberRow, OrganizationRow } from '../../identity/index.ts';
import { renderEmptyState, renderField, renderNote, renderSelect } from '../components.ts';
import { renderMoment } from '../format-moment.ts';

type Entry = ReturnType<typeof toOrganizationAuditEntryView>;

export interface ActivityFilter {
  member?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

interface ActivityPage {
  organization: OrganizationRow;
  entries: readonly Entry[];
  members: readonly MemberRow[];
  values: ActivityFilter;
  nextCursor: string | null;
  path: string;
  user: { timeZone: string };
  locale: Locale;
}

const ACTORS = {
  YOU: 'app.settings.accesses.you',
  MEMBER: 'app.members.unnamed',
  FORMER_MEMBER: 'auditEntries.formerMember',
  STAFF: 'app.settings.accesses.staff',
  SOMEBODY: 'app.settings.accesses.somebody',
  SERVICE: 'app.settings.accesses.service',
} as const satisfies Record<Entry['who'], MessageKey>;

/** Render what was done for an organization and with its data, the newest first, with a filter. */
export function renderActivity(page: ActivityPage): Html {
  const { organization, entries, values, nextCursor, path, user, locale } = page;
  const rows = entries.map(
    ({ who, actorName, action, outcome, createdAt }) =>
      html`<tr><td>${renderMoment(new Date(createdAt), user, locale)}</td><td><bdi>${who === 'MEMBER' && actorName ? actorName : t(locale, ACTORS[who])}</bdi></td>
<td>${translateAuditAction(action, locale)}${outcome !== 'SUCCESS' && action !== 'ACCESS_DENIED' && html` ${t(locale, 'app.settings.accesses.refused')}`}</td></tr>`,
  );
  const older = new URLSearchParams({ ...values, cursor: nextCursor ?? '' });
  return html`<p><bdi>${organization.name}</bdi></p>
<p>${t(locale, 'app.activity.text')}</p>
${renderFilter(page)}${
  rows.length === 0
    ? renderEmptyState(t(locale, 'app.settings.accesses.none'))
    : html`<div class="table" tabindex="0"><table><thead><tr><th scope="col">${t(locale, 'app.settings.accesses.when')}</th><th scope="col">${t(locale, 'app.settings.accesses.who')}</th><th scope="col">${t(locale, 'app.settings.accesses.what')}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}${nextCursor !== null && html`<p><a class="act plain" href="${path}?${String(older)}">${t(locale, 'app.settings.accesses.older')}</a></p>`}`;
}

function renderFilter({ members, values, path, locale }: ActivityPage): Html {
  const date = (name: 'from' | 'to') =>
    renderField(
      { name, label: t(locale, `app.settings.notifications.${name}`), type: 'date', value: values[name] },
      [],
      locale,
    );
  const member = renderSelect({
    name: 'member',
    label: t(locale, 'app.activity.member'),
    value: values.member ?? '',
    options: [
      { value: '', label: t(locale, 'app.activity.anyone') },
      ...members.map(({ id, name }) => ({ value: id, label: name ?? t(locale, 'app.members.unnamed') })),
    ],
  });
  return html`<form action="${path}">${member}${date('from')}${date('to')}<div class="actions"><button>${t(locale, 'app.codes.show')}</button><button class="plain" formaction="${path}/verify">${t(locale, 'app.activity.verify')}</button></div></form>
`;
}

/** Render whether the entries are as they were sealed; null where they could not be verified. */
export function renderVerification(
  verification: Awaited<ReturnType<typeof verifyOrganizationEntries>> | null,
  path: string,
  locale: Locale,
): Html {
  const { valid = true, verified = 0, complete = true } = verification ?? {};
  const result = valid
    ? renderNote(t(locale, 'app.activity.valid', { count: verified }))
    : renderNote(t(locale, 'app.activity.invalid'), 'wrong');
  return html`${verification && result}${valid && !complete && html`<p>${t(locale, 'app.activity.incomplete')}</p>`}
<p><a class="act plain" href="${path}">${t(locale, 'app.activity.title')}</a></p>`;
}
