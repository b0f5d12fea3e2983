import { isAccountPermission, type Permission } from '../../../permissions.ts';
import { getActingAccount } from '../../../platform/acting-account.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import { html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { canUse } from '../reader-permissions.ts';
import type { PaletteOption } from './palette-option.ts';

/** By their paths below the account; what is no record of it is of the user. */
const PAGES = [
  { path: '', permission: 'dashboard:own', label: 'app.home' },
  { path: '/codes', permission: 'qrcodes:own', label: 'app.codes.title' },
  { path: '/codes/new', permission: 'qrcodes:own', method: 'POST', label: 'app.codes.new' },
  { path: '/lost', permission: 'qrcodes:own', label: 'app.lost.title' },
  { path: '/inbox', permission: 'conversations:own', label: 'app.inbox.title' },
  { path: '/notifications', permission: 'notifications:own', label: 'app.notifications.title' },
  { path: '/documents', permission: 'documents:own', label: 'app.documents.title' },
  { path: '/memorials', permission: 'memory-tags:own', label: 'app.settings.notifications.memorials' },
  { path: '/print', permission: 'qrcodes:own', label: 'app.sheets.title' },
  { path: '/batches', permission: 'qrcodes:own', label: 'app.batches.title' },
  { path: '/imports', permission: 'qrcodes:own', label: 'app.imports.title' },
  { path: '/reports', permission: 'scans:own', label: 'app.reports.title' },
  { path: '/codes/deleted', permission: 'qrcodes:own', label: 'app.deleted.title' },
  { path: '/settings', permission: 'account:manage', label: 'app.settings' },
  { path: '/settings/security', permission: 'account:manage', label: 'app.settings.security' },
  { path: '/settings/plan', permission: 'subscription:own', label: 'app.plan.title' },
  { path: '/settings/data', permission: 'account:manage', label: 'app.settings.data' },
  { path: '/developers', permission: 'api-keys:own', label: 'app.developers.title' },
] as const satisfies readonly {
  path: string;
  permission: Permission;
  /** Default: GET. */
  method?: 'POST';
  label: MessageKey;
}[];

const MAX_PAGES = 8;

/** Find the pages that somebody may open and whose names have a text; without one the first of them. */
export function findPalettePages(
  services: Pick<OwnerPageServices, 'publicBaseUrl'>,
  user: CurrentUser,
  search: string,
  locale: Locale,
): PaletteOption[] {
  const wanted = search.toLocaleLowerCase(locale.tag);
  return PAGES.filter((page) => canUse({ user }, page.permission, 'method' in page ? page.method : 'GET'))
    .map(({ path, permission, label }) => {
      const { id } = isAccountPermission(permission) ? getActingAccount(user) : user;
      return { href: `${getAccountPath(services, id)}${path}`, name: t(locale, label) };
    })
    .filter(({ name }) => name.toLocaleLowerCase(locale.tag).includes(wanted))
    .slice(0, MAX_PAGES)
    .map(({ href, name }) => ({ href, label: html`${name}` }));
}
