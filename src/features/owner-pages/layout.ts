import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasAccountRolePermission, isAccountPermission, type Permission } from '../../permissions.ts';
import { sendLocalizedHtmlPage } from '../../platform/pages/page-frame.ts';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { type Html, html } from '../../shared/html.ts';
import { chooseLocale } from '../../shared/i18n/choose-locale.ts';
import { LOCALES, type Locale } from '../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../shared/i18n/translate.ts';
import { renderBadge, renderForm } from './components.ts';
import { getFormToken } from './form-token.ts';
import { getAccountPath, getOwnerPagesPath, type OwnerPageServices } from './owner-page-services.ts';
import { PAGE_SCRIPT_PATH } from './page-script.ts';
import { getStaffPath, listStaffEntries } from './staff/staff-navigation.ts';

export interface OwnerPage {
  /** The heading. */
  title: string;
  /** Of the tab, which stays in the history of the browser: where the heading says what only its owner knows. */
  tabTitle?: string | undefined;
  body: Html;
  status?: number;
  /** The entry of the navigation that the page belongs to. */
  entry?: NavigationEntry;
  /** Default: the way to the pages of the account. */
  navigation?: Html;
  /** One column for a short form. */
  isNarrow?: boolean;
  /** Before a sign-in: path of the page for other languages. */
  address?: string;
  hasMap?: boolean;
  hasChart?: boolean;
  /** Default: that of the account, else of the browser. */
  locale?: Locale;
}

/**
 * In their order, for those who may read them; an entry is here once its screen is. On a phone the second half stands on a line
 * of its own.
 */
const NAVIGATION = [
  { name: 'home', path: '', permission: 'dashboard:own', label: 'app.home' },
  { name: 'codes', path: '/codes', permission: 'qrcodes:own', label: 'app.codes.title' },
  { name: 'lost', path: '/lost', permission: 'qrcodes:own', label: 'app.lost.title' },
  { name: 'inbox', path: '/inbox', permission: 'conversations:own', label: 'app.inbox.title' },
  { name: 'documents', path: '/documents', permission: 'documents:own', label: 'app.documents.title' },
  {
    name: 'memorials',
    path: '/memorials',
    permission: 'memory-tags:own',
    label: 'app.settings.notifications.memorials',
  },
  { name: 'settings', path: '/settings', permission: 'account:manage', label: 'app.settings' },
] as const satisfies readonly {
  name: string;
  path: string;
  permission: Permission;
  label: MessageKey;
}[];

/** For a member who is limited to folders. */
const LIMITED_ENTRIES: readonly string[] = ['codes', 'settings'];

const FIRST_LINE_ENTRIES = 4;

export type NavigationEntry = (typeof NAVIGATION)[number]['name'];

/** The language of the account; before a sign-in that of the address or the browser. */
export function chooseOwnerPageLocale(request: FastifyRequest): Locale {
  return request.user ? chooseLocale(request.user.language, undefined) : choosePageLocale(request);
}

/** Send a page for owners. Nothing of it stays in a cache. */
export function sendOwnerPage(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    title,
    tabTitle = title,
    body,
    status = 200,
    entry,
    navigation,
    isNarrow = false,
    address,
    hasMap = false,
    hasChart = false,
    locale = chooseOwnerPageLocale(request),
  }: OwnerPage,
): FastifyReply {
  const content = html`<h1>${title}</h1>\n${body}`;
  return sendLocalizedHtmlPage(reply, {
    status,
    locale,
    title: `${tabTitle} – ${services.brand.name}`,
    body: isNarrow ? html`<div class="narrow">${content}</div>` : content,
    address: address ?? null,
    hasMap,
    hasChart,
    fetchesUpdates: true,
    owner: {
      navigation: navigation ?? (request.user && renderNavigation(services, request, reply, locale, entry)),
      scriptPath: `${getOwnerPagesPath(services)}/${PAGE_SCRIPT_PATH}`,
    },
  });
}

function renderNavigation(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  locale: Locale,
  current: NavigationEntry | undefined,
): Html {
  const { id = '', role = '', account } = request.user ?? {};
  // Not a member of the account of the address: their own.
  const { id: accountId, role: accountRole } = account ?? { id, role: 'OWNER' };
  const getEntryPath = (permission: Permission) =>
    getAccountPath(services, isAccountPermission(permission) ? accountId : id);
  const canOpen = (permission: Permission) => hasAccountRolePermission(accountRole, permission, 'GET');
  const isLimited = Boolean(account?.folderIds);
  const entries = NAVIGATION.filter(
    ({ name, permission }) => canOpen(permission) && (!isLimited || LIMITED_ENTRIES.includes(name)),
  ).map(
    ({ name, path, permission, label }) =>
      html`<li><a href="${getEntryPath(permission)}${path}"${name === current && html` aria-current="page"`}>${t(locale, label)}${name === 'inbox' && renderUnreadBadge(request, locale)}</a></li>`,
  );
  if (listStaffEntries(role).length > 0)
    entries.push(
      html`<li><a href="${getStaffPath(getOwnerPagesPath(services))}">${t(locale, 'app.staff')}</a></li>`,
    );
  return renderNavigationList(services, request, reply, {
    label: t(locale, 'app.navigation'),
    entries: entries.slice(0, FIRST_LINE_ENTRIES),
    more: [
      ...entries.slice(FIRST_LINE_ENTRIES),
      ...(canOpen('qrcodes:own')
        ? [renderPaletteButton(`${getEntryPath('qrcodes:own')}/palette`, locale)]
        : []),
    ],
    locale,
  });
}

interface NavigationList {
  label: string;
  /** Each an `li`. */
  entries: readonly Html[];
  /** After the others, on a phone on a line of their own. */
  more?: readonly Html[];
  locale: Locale;
  className?: string;
}

/** Render the way to other pages, with the button that signs out at its end. */
export function renderNavigationList(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { label, entries, more = [], locale, className }: NavigationList,
): Html {
  const signOut = renderForm({
    action: `${getOwnerPagesPath(services)}/sign-out`,
    token: getFormToken(services, request, reply),
    submit: t(locale, 'app.signOut'),
  });
  return html`<nav class="nav${className && ` ${className}`}" aria-label="${label}"><div><ul>${entries}</ul><ul>${more}<li class="end">${signOut}</li></ul></div></nav>`;
}

/** Render the button of the palette, which the script shows. */
function renderPaletteButton(address: string, locale: Locale): Html {
  return html`<li class="palette-button" hidden><button type="button" data-script="palette" data-address="${address}" data-label="${t(locale, 'app.palette.label')}" data-none="${t(locale, 'app.palette.none')}" data-failed="${t(locale, 'finder.failedTitle')}" aria-keyshortcuts="Control+K Meta+K"><span>${t(locale, 'app.palette.button')}</span> <kbd></kbd></button></li>`;
}

function renderUnreadBadge({ unreadConversations: count }: FastifyRequest, locale: Locale): Html | null {
  return renderBadge(count, t(locale, 'app.inbox.unreadConversations', { count }));
}

/** Add the language of a page before a sign-in to the address of the next one. */
export function withLanguage(address: string, { query }: FastifyRequest): string {
  const language: unknown = Reflect.get(Object(query), 'lang');
  if (typeof language !== 'string' || !LOCALES.has(language)) return address;
  return `${address}${address.includes('?') ? '&' : '?'}lang=${language}`;
}
