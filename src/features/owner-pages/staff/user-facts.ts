import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { renderMoment } from '../format-moment.ts';
import { formatUserName, translateRole, translateUserStatus, type UserStatusName } from './user-labels.ts';

interface UserFacts {
  id: string;
  firstName: string | null;
  lastName: string | null;
  organizationName: string | null;
  language: string;
  status: UserStatusName;
  qrCodes: number;
  lastLoginAt: string | null;
  createdAt: string;
  /** Only administrators see these. */
  role?: Parameters<typeof translateRole>[0];
  enterpriseMode?: boolean;
}

/** Render what is known about a user, without what they wrote. */
export function renderUserFacts(
  user: UserFacts,
  { reader, locale }: { reader: { timeZone: string }; locale: Locale },
): Html {
  const name = formatUserName(user);
  const languages = new Intl.DisplayNames(locale.tag, { type: 'language' });
  const facts: [string, string | Html | undefined][] = [
    [t(locale, 'fields.name'), name === '' ? undefined : html`<bdi>${name}</bdi>`],
    [t(locale, 'app.codes.status'), translateUserStatus(user.status, locale)],
    [t(locale, 'app.staff.users.role'), user.role && translateRole(user.role, locale)],
    [
      t(locale, 'app.staff.users.enterprise'),
      user.enterpriseMode ? t(locale, 'app.staff.users.enterpriseOn') : undefined,
    ],
    [t(locale, 'app.codes.title'), String(user.qrCodes)],
    [
      t(locale, 'app.staff.users.lastLogin'),
      user.lastLoginAt === null
        ? t(locale, 'app.staff.users.noLogin')
        : renderMoment(new Date(user.lastLoginAt), reader, locale),
    ],
    [t(locale, 'app.staff.users.registered'), renderMoment(new Date(user.createdAt), reader, locale)],
    [t(locale, 'app.staff.users.language'), languages.of(user.language)],
    ['ID', html`<bdi>${user.id}</bdi>`],
  ];
  return html`<dl>${facts
    .filter(([, value]) => value !== undefined)
    .map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`;
}
