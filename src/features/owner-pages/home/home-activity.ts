import type { Static } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { QuietCode } from '../../codes/index.ts';
import type { ConversationSchema } from '../../conversations/index.ts';
import type { ScanListRow } from '../../scans/index.ts';
import { formatScanPlace, renderShortTime, renderThumbnail } from '../codes/code-parts.ts';
import { formatListPath } from '../cursor-pages.ts';
import { renderInboxEntry } from '../inbox/render-inbox-entry.ts';

export interface NewPlace {
  scan: ScanListRow;
  code: { id: string; kind: string; title: string };
}

export interface HomeActivity {
  accountPath: string;
  /** Of finders that were not read, and the newest conversations with some. */
  messages: number;
  unread: readonly Static<typeof ConversationSchema>[];
  places: readonly NewPlace[];
  /** When the visit before this one ended. */
  visitedAt: Date;
  quiet: readonly QuietCode[];
  /** The day since when those were not scanned, as an address has it. */
  quietSince: string;
  timeZone: string;
  locale: Locale;
}

/** Render the newest unread messages with the way to all. */
export function renderMessages({
  accountPath,
  messages,
  unread,
  timeZone,
  locale,
}: HomeActivity): Html | null {
  if (unread.length === 0) return null;
  const path = `${accountPath}/inbox`;
  return html`<section><h2>${t(locale, 'app.home.messages', { count: messages })}</h2>
<ul class="cards rows">${unread.map((entry) => renderInboxEntry(path, entry, timeZone, locale, { isBelowHeading: true }))}</ul>
<p><a href="${path}">${t(locale, 'app.home.openInbox')}</a></p></section>\n`;
}

/** Render where codes were scanned since the last visit. */
export function renderPlaces({
  accountPath,
  places,
  visitedAt,
  timeZone,
  locale,
}: HomeActivity): Html | null {
  if (places.length === 0) return null;
  const format = new Intl.DateTimeFormat(locale.tag, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  return html`<section><h2>${t(locale, 'app.home.newPlaces')}</h2>
<p class="small">${t(locale, 'app.home.since', { date: format.format(visitedAt) })}</p>
<ul class="cards">${places.map(
    ({ scan, code }) =>
      html`<li><div><h3><a href="${accountPath}/codes/${code.id}/scans/${scan.id}"><bdi>${code.title}</bdi></a></h3>
<p class="small"><bdi>${formatScanPlace(scan, locale)}</bdi> · ${renderShortTime(scan.scannedAt, timeZone, locale)}</p></div></li>\n`,
  )}</ul></section>\n`;
}

/** Render codes that nobody has scanned for long: their tags may be gone. */
export function renderQuiet({ accountPath, quiet, quietSince, timeZone, locale }: HomeActivity): Html | null {
  if (quiet.length === 0) return null;
  const all = formatListPath(`${accountPath}/codes`, {
    status: 'ACTIVE',
    notScannedSince: quietSince,
    sort: 'lastScannedAt',
  });
  return html`<section><h2>${t(locale, 'app.home.quietTitle')}</h2><p>${t(locale, 'app.home.quietText')}</p>
<ul class="cards">${quiet.map(({ id, kind, title, lastScannedAt }) => {
    const path = `${accountPath}/codes/${id}`;
    const lastScan =
      lastScannedAt === null
        ? t(locale, 'app.codes.neverScanned')
        : html`${t(locale, 'app.codes.lastScan')}${t(locale, 'finder.labelSeparator')}${renderShortTime(lastScannedAt, timeZone, locale)}`;
    return html`<li>${renderThumbnail(path, kind, undefined)}<div><h3><a href="${path}"><bdi>${title}</bdi></a></h3><div class="small">${lastScan}</div></div></li>\n`;
  })}</ul>
<p><a href="${all}">${t(locale, 'app.home.quietAll')}</a></p></section>\n`;
}
