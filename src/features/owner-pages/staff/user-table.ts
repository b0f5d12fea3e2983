import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { renderMoment } from '../format-moment.ts';
import { formatUserName, translateRole, translateUserStatus, type UserStatusName } from './user-labels.ts';

interface ListedUser {
  id: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  organizationName: string | null;
  status: UserStatusName;
  /** Only administrators see it. */
  role?: Parameters<typeof translateRole>[0];
  qrCodes: number;
  lastLoginAt: string | null;
}

/** Render users, each with the way to their page. @param path of those pages */
export function renderUserTable(
  users: readonly ListedUser[],
  { path, reader, locale }: { path: string; reader: { timeZone: string }; locale: Locale },
): Html {
  const rows = users.map((user) => {
    const name = formatUserName(user);
    const { status, role } = user;
    return html`<tr><th scope="row">${
      status === 'DELETED'
        ? html`<bdi>${user.email}</bdi>`
        : html`<a href="${path}/${user.id}"><bdi>${user.email}</bdi></a>`
    }${name && html`<br><bdi class="small">${name}</bdi>`}</th><td>${
      status !== 'ACTIVE' && html`<span class="chip">${translateUserStatus(status, locale)}</span> `
    }${role && role !== 'USER' && html`<span class="chip">${translateRole(role, locale)}</span>`}</td><td>${t(
      locale,
      'app.codes.count',
      { count: user.qrCodes },
    )}</td><td>${
      user.lastLoginAt === null
        ? t(locale, 'app.staff.users.noLogin')
        : renderMoment(new Date(user.lastLoginAt), reader, locale)
    }</td></tr>\n`;
  });
  return html`<table class="stack"><thead><tr><th scope="col">${t(locale, 'app.staff.users.user')}</th><th scope="col">${t(locale, 'app.codes.status')}</th><th scope="col">${t(locale, 'app.codes.title')}</th><th scope="col">${t(locale, 'app.staff.users.lastLogin')}</th></tr></thead><tbody>${rows}</tbody></table>`;
}
