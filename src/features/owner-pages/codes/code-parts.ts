import type { FastifyRequest } from 'fastify';
import { canReadHealthData } from '../../../platform/health-data.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t, translateHtml } from '../../../shared/i18n/translate.ts';
import {
  formatShortNumber,
  getQrCodeKindByName,
  isLocalBaseUrl,
  type QR_CODE_STATUSES,
} from '../../codes/index.ts';
import type { PictureRow } from '../../files/index.ts';
import { type IconName, renderIcon, translateQrCodeKind } from '../../finder/index.ts';
import { createScanReportFormatter, describeUserAgent, type ScanListRow } from '../../scans/index.ts';
import { renderNote, renderTabs } from '../components.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { canUse } from '../reader-permissions.ts';

export type QrCodeStatus = (typeof QR_CODE_STATUSES)[number];

export function getCodesPath(
  services: Pick<OwnerPageServices, 'publicBaseUrl'>,
  { accountId }: { accountId: string },
): string {
  return `${getAccountPath(services, accountId)}/codes`;
}

export function getDeletedCodesPath(
  services: Pick<OwnerPageServices, 'publicBaseUrl'>,
  { accountId }: { accountId: string },
): string {
  return `${getCodesPath(services, { accountId })}/deleted`;
}

export function getCodePath(
  services: Pick<OwnerPageServices, 'publicBaseUrl'>,
  { accountId, id }: { accountId: string; id: string },
): string {
  return `${getCodesPath(services, { accountId })}/${id}`;
}

/** Get the title of a tab: a health record is named by its kind. */
export function getCodeTabTitle({ kind, title }: { kind: string; title: string }, locale: Locale): string {
  return getQrCodeKindByName(kind).sensitive === 'ALWAYS' ? translateQrCodeKind(locale, kind) : title;
}

/** Render what tells codes of one title apart. */
export function renderKindAndNumber(
  { kind, externalId }: { kind: string; externalId: string | null },
  locale: Locale,
): Html {
  return html`${translateQrCodeKind(locale, kind)}${externalId !== null && html` · <bdi>${externalId}</bdi>`}`;
}

/** Say that no phone can open what is printed; null where phones can. */
export function renderLocalNote(
  { publicBaseUrl }: Pick<OwnerPageServices, 'publicBaseUrl'>,
  locale: Locale,
): Html | null {
  if (!isLocalBaseUrl(publicBaseUrl)) return null;
  const command = html`<code>npm start -- --lan</code>`;
  return renderNote(translateHtml(locale, 'app.print.local', { command }), 'wrong');
}

const TABS = [
  { name: 'overview', path: '', label: 'app.code.overview' },
  { name: 'content', path: '/content', label: 'app.code.content' },
  { name: 'page', path: '/page', label: 'app.page.title', isForEditors: true },
  { name: 'print', path: '/print', label: 'app.code.print' },
  { name: 'scans', path: '/scans', label: 'report.scans' },
  { name: 'messages', path: '/messages', label: 'app.inbox.title' },
  { name: 'history', path: '/history', label: 'app.history.title' },
  { name: 'settings', path: '/settings', label: 'app.settings', isForEditors: true },
] as const satisfies readonly { name: string; path: string; label: MessageKey; isForEditors?: true }[];

export type CodeTab = (typeof TABS)[number]['name'];

/** What somebody may do with a code, by their role in its account. */
export interface CodeRights {
  canEdit: boolean;
  /** Its content. */
  canRead: boolean;
}

export function getCodeRights(
  request: FastifyRequest,
  { kind, status }: { kind: string; status: string },
): CodeRights {
  // Nobody fills in a tag before somebody claims it.
  if (status === 'UNCLAIMED') return { canEdit: false, canRead: false };
  return {
    canEdit: canUse(request, 'qrcodes:own', 'POST'),
    canRead: kind !== 'MEDICAL' || canReadHealthData(request),
  };
}

/** Render the way to the other pages of a code that somebody may open. */
export function renderCodeTabs(
  path: string,
  current: CodeTab | null,
  { canEdit, canRead, locale }: CodeRights & { locale: Locale },
): Html {
  const tabs = TABS.filter(
    (tab) => (canEdit || !('isForEditors' in tab)) && (canRead || tab.name !== 'content'),
  ).map((tab) => ({
    href: `${path}${tab.path}`,
    label: t(locale, tab.label),
    isCurrent: tab.name === current,
  }));
  return renderTabs(tabs, t(locale, 'app.code.parts'));
}

export const STATUS_LABELS = {
  ACTIVE: 'app.codes.statuses.ACTIVE',
  PAUSED: 'app.codes.statuses.PAUSED',
  LOST: 'app.codes.statuses.LOST',
  EXPIRED: 'app.codes.statuses.EXPIRED',
  DELETED: 'app.codes.statuses.DELETED',
  UNCLAIMED: 'app.codes.statuses.UNCLAIMED',
} as const satisfies Record<QrCodeStatus, MessageKey>;

export function renderStatusChip(status: QrCodeStatus, locale: Locale): Html {
  return html`<span class="${status === 'LOST' ? 'chip is-lost' : 'chip'}">${t(locale, STATUS_LABELS[status])}</span>`;
}

const KIND_ICONS: Readonly<Record<string, IconName>> = {
  PET: 'paw',
  MEDICAL: 'heart',
  LUGGAGE: 'bag',
  CAR: 'car',
  MEMORY_TAG: 'candle',
  IDENTIFICATION: 'idCard',
  DOCUMENT: 'document',
  URL: 'link',
  WIFI: 'wifi',
  VCARD: 'idCard',
  TEXT: 'text',
  EMAIL: 'message',
  PHONE: 'call',
  SMS: 'message',
  LOCATION: 'pin',
  EVENT: 'calendar',
};

/** Render the picture of a code, or the icon of its kind; decorative, beside the title. */
export function renderThumbnail(path: string, kind: string, picture: PictureRow | undefined): Html {
  if (picture)
    return html`<img class="avatar" src="${path}/pictures/${picture.id}?w=320" width="64" height="64" alt="" loading="lazy">`;
  return html`<span class="avatar">${renderIcon(KIND_ICONS[kind] ?? 'link')}</span>`;
}

/** What people lose; for others the way leads over the page of the code. */
export const LOSABLE_KINDS = ['PET', 'MEDICAL', 'LUGGAGE', 'CAR', 'IDENTIFICATION', 'DOCUMENT'];

export function isLosable({ kind, mode, status }: { kind: string; mode: string; status: string }): boolean {
  return LOSABLE_KINDS.includes(kind) && mode === 'DYNAMIC' && (status === 'ACTIVE' || status === 'PAUSED');
}

/** Whether a code can be reported as lost, and is not. */
export function canPractice({ kind, mode, status }: { kind: string; mode: string; status: string }): boolean {
  return mode === 'DYNAMIC' && kind !== 'MEMORY_TAG' && (status === 'ACTIVE' || status === 'PAUSED');
}

/** Render a number as it is printed, on one line. */
export function renderShortNumber(number: string): Html {
  return html`<bdi class="number" dir="ltr">${formatShortNumber(number)}</bdi>`;
}

/** Render a time shortly, in the time zone of its reader. */
export function renderShortTime(at: Date, timeZone: string, { tag }: Locale): Html {
  const format = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  return html`<time datetime="${at.toISOString()}">${format.format(at)}</time>`;
}

/** City or region, and country; empty where neither is known. */
export function formatScanPlace(
  { city, region, country }: Pick<ScanListRow, 'city' | 'region' | 'country'>,
  locale: Locale,
): string {
  const agent = { device: 'unknown', os: 'unknown', browser: 'unknown' };
  return createScanReportFormatter(locale).place({ ...agent, city: city ?? region, country });
}

export function formatScanDevice(userAgent: string, locale: Locale): string {
  const place = { city: null, country: null };
  return createScanReportFormatter(locale).agent({ ...describeUserAgent(userAgent), ...place });
}
