import type { Static } from 'typebox';
import { FORM_RESULT_HTML_ATTRIBUTES } from '../../../platform/pages/page-frame.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import type { ConversationMessage } from '../../conversations/index.ts';
import { createMapLinks, formatAccuracy } from '../../finder/index.ts';
import { createScanReportFormatter, describeUserAgent, type OwnScan } from '../../scans/index.ts';
import { formatScanPlace } from '../codes/code-parts.ts';

type ThreadScan = Pick<OwnScan, 'id' | 'scannedAt' | 'userAgent' | 'positions'>;

interface Thread {
  /** Oldest first. */
  messages: readonly Static<typeof ConversationMessage>[];
  /** Null where there was none, or it is no longer stored. */
  scan: ThreadScan | null;
  /** From which the finder wrote again. */
  laterScans?: readonly ThreadScan[];
  /** Before it, scans and places are on an older page; null on the oldest. */
  from?: string | null;
  /** When the next page begins; null on the newest. */
  to?: string | null;
  startedAt: Date;
  notes?: readonly { at: string; item: Html }[];
  code: { title: string };
  /** Of the scans of the code. */
  scansPath: string;
  timeZone: string;
}

interface ThreadEntry {
  at: string;
  item: Html;
  /** The scan that a place is of. */
  placeOf?: string;
}

/** Render a conversation in order: messages, and the scans and places of its finder. It begins with its scan. */
export function renderThread(thread: Thread, locale: Locale): Html {
  const { messages, scan, laterScans = [], from = null, to = null, startedAt, code, timeZone } = thread;
  const format = new Intl.DateTimeFormat(locale.tag, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const time = (at: string) => html`<time datetime="${at}">${format.format(new Date(at))}</time>`;
  const title = html`<bdi>${code.title}</bdi>`;
  const first = scan
    ? renderScan(scan, title, time, locale)
    : html`<li><p class="kind small">${time(startedAt.toISOString())}</p><p>${translateHtml(locale, 'app.inbox.noScan', { title })}</p></li>`;
  const scans = [
    ...laterScans.map((later) => ({ at: later.scannedAt, item: renderScan(later, title, time, locale) })),
    ...(scan ? [scan, ...laterScans] : laterScans).flatMap((one) => listPlaces(one, thread, time, locale)),
  ];
  const entries: ThreadEntry[] = [
    ...scans.filter(isOfPage),
    ...(thread.notes ?? []).filter(isOfPage),
    ...messages.map((message, index) => ({
      at: message.sentAt,
      item: renderMessage(message, index === messages.length - 1, time, locale),
    })),
  ].toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
  // Of places in a row, the last: the page of the scan has all.
  const items = entries
    .filter(({ placeOf }, index) => placeOf === undefined || entries[index + 1]?.placeOf !== placeOf)
    .map(({ item }) => item);
  return html`<ol class="messages">${first}${items}</ol>`;

  function isOfPage({ at }: ThreadEntry): boolean {
    return (from === null || at >= from) && (to === null || at < to);
  }
}

function renderMessage(
  { from, message, sentAt, readAt }: Thread['messages'][number],
  isNewest: boolean,
  time: (at: string) => Html,
  locale: Locale,
): Html {
  const isOwn = from === 'OWNER';
  const state =
    isOwn &&
    (readAt
      ? translateHtml(locale, 'conversation.readAt', { time: time(readAt) })
      : t(locale, 'conversation.unread'));
  return html`<li class="${isOwn ? 'own' : 'other'}"${isNewest && FORM_RESULT_HTML_ATTRIBUTES}><p class="kind small">${t(locale, isOwn ? 'conversation.you' : 'conversation.finder')} · ${time(sentAt)}${state && html` · ${state}`}</p>
<p class="text">${message ?? t(locale, 'conversation.unreadable')}</p></li>`;
}

function isPlaceOfScan({ positions: [first], scannedAt }: ThreadScan): boolean {
  return first?.createdAt === scannedAt;
}

/** List the places that were shared after the scan. */
function listPlaces(
  scan: ThreadScan,
  { scansPath }: Pick<Thread, 'scansPath'>,
  time: (at: string) => Html,
  locale: Locale,
): ThreadEntry[] {
  return scan.positions.slice(isPlaceOfScan(scan) ? 1 : 0).map((position) => ({
    at: position.createdAt,
    placeOf: scan.id,
    item: html`<li class="other"><p class="kind small">${time(position.createdAt)}</p><p><a href="${scansPath}/${scan.id}">${t(locale, 'app.inbox.sharedPlace')}</a></p>${renderPosition(position, locale)}</li>`,
  }));
}

function renderScan(scan: ThreadScan, title: Html, time: (at: string) => Html, locale: Locale): Html {
  const { scannedAt, userAgent, positions } = scan;
  const agent = { ...describeUserAgent(userAgent ?? ''), city: null, country: null };
  const device = createScanReportFormatter(locale).agent(agent);
  const isDeviceKnown = device !== t(locale, 'report.unknown');
  const [position] = positions;
  const place = position
    ? isPlaceOfScan(scan) && renderPosition(position, locale)
    : html`<p class="small">${t(locale, 'app.inbox.noPlace')}</p>`;
  return html`<li><p class="kind small">${time(scannedAt)}${isDeviceKnown && html` · ${device}`}</p>
<p>${translateHtml(locale, 'app.inbox.scanned', { title })}</p>${place}</li>`;
}

function renderPosition(
  { city, region, country, address, accuracy, latitude, longitude }: ThreadScan['positions'][number],
  locale: Locale,
): Html {
  const place = address ?? formatScanPlace({ city, region, country }, locale);
  const link =
    latitude === null || longitude === null
      ? null
      : html`<a class="act plain" rel="noopener noreferrer nofollow" href="${createMapLinks({ latitude, longitude }).openStreetMap}">${t(locale, 'finder.mapLink')}</a>`;
  return html`<p>${place && html`<bdi>${place}</bdi>`}${accuracy !== null && html` <span class="small">${formatAccuracy(accuracy, locale)}</span>`}</p>${link && html`<p>${link}</p>`}`;
}
