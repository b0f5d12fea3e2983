import { html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import type { PaletteOption } from './palette-option.ts';

/** Pages of an account by their paths below it. */
const PAGES = [
  { path: '', label: 'app.home' },
  { path: '/codes', label: 'app.codes.title' },
  { path: '/codes/new', label: 'app.codes.new' },
  { path: '/lost', label: 'app.lost.title' },
  { path: '/inbox', label: 'app.inbox.title' },
  { path: '/notifications', label: 'app.notifications.title' },
  { path: '/documents', label: 'app.documents.title' },
  { path: '/memorials', label: 'app.settings.notifications.memorials' },
  { path: '/print', label: 'app.sheets.title' },
  { path: '/imports', label: 'app.imports.title' },
  { path: '/reports', label: 'app.reports.title' },
  { path: '/codes/deleted', label: 'app.deleted.title' },
  { path: '/settings', label: 'app.settings' },
  { path: '/settings/security', label: 'app.settings.security' },
  { path: '/settings/plan', label: 'app.plan.title' },
  { path: '/settings/data', label: 'app.settings.data' },
  { path: '/settings/developers', label: 'app.developers.title' },
] as const satisfies readonly { path: string; label: MessageKey }[];

const MAX_PAGES = 8;

/** Find the pages of an account whose names have a text; without one the first of them. */
export function findPalettePages(accountPath: string, search: string, locale: Locale): PaletteOption[] {
  const wanted = search.toLocaleLowerCase(locale.tag);
  return PAGES.map(({ path, label }) => ({ href: `${accountPath}${path}`, name: t(locale, label) }))
    .filter(({ name }) => name.toLocaleLowerCase(locale.tag).includes(wanted))
    .slice(0, MAX_PAGES)
    .map(({ href, name }) => ({ href, label: html`${name}` }));
}
