import type { Static } from 'typebox';
import { FORM_RESULT_HTML_ATTRIBUTES } from '../../../platform/pages/page-frame.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import type { ConversationMessage } from '../../conversations/index.ts';
import { createMapLinks, formatAccuracy } from '../../finder/index.ts';
import { createScanReportFormatter, describeUserAgent, type OwnScan } from '../../scans/index.ts';

type ThreadScan = Pick<OwnScan, 'scannedAt' | 'userAgent' | 'positions'>;

interface Thread {
  /** Oldest first. */
  messages: readonly Static<typeof ConversationMessage>[];
  /** Null where there was none, or it is no longer stored. */
  scan: ThreadScan | null;
  startedAt: Date;
  code: { title: string };
  timeZone: string;
}

/** Render the messages of a conversation below the scan that it began with. */
export function renderThread({ messages, scan, startedAt, code, timeZone }: Thread, locale: Locale): Html {
  const format = new Intl.DateTimeFormat(locale.tag, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const time = (at: string) => html`<time datetime="${at}">${format.format(new Date(at))}</time>`;
  const items = messages.map(({ from, message, sentAt, readAt }, index) => {
    const isOwn = from === 'OWNER';
    const state =
      isOwn &&
      (readAt
        ? translateHtml(locale, 'conversation.readAt', { time: time(readAt) })
        : t(locale, 'conversation.unread'));
    const isNewest = index === messages.length - 1;
    return html`<li class="${isOwn ? 'own' : 'other'}"${isNewest && FORM_RESULT_HTML_ATTRIBUTES}><p class="kind small">${t(locale, isOwn ? 'conversation.you' : 'conversation.finder')} · ${time(sentAt)}${state && html` · ${state}`}</p>
<p class="text">${message}</p></li>`;
  });
  const title = html`<bdi>${code.title}</bdi>`;
  const first = scan
    ? renderScan(scan, title, time, locale)
    : html`<li><p class="kind small">${time(startedAt.toISOString())}</p><p>${translateHtml(locale, 'app.inbox.noScan', { title })}</p></li>`;
  return html`<ol class="messages">${first}${items}</ol>`;
}

function renderScan(
  { scannedAt, userAgent, positions }: ThreadScan,
  title: Html,
  time: (at: string) => Html,
  locale: Locale,
): Html {
  const formatter = createScanReportFormatter(locale);
  const agent = { ...describeUserAgent(userAgent ?? ''), city: null, country: null };
  const device = formatter.agent(agent);
  const isDeviceKnown = device !== t(locale, 'report.unknown');
  const position = positions.at(-1);
  return html`<li><p class="kind small">${time(scannedAt)}${isDeviceKnown && html` · ${device}`}</p>
<p>${translateHtml(locale, 'app.inbox.scanned', { title })}</p>${position ? renderPosition(position) : html`<p class="small">${t(locale, 'app.inbox.noPlace')}</p>`}</li>`;

  function renderPosition({
    city,
    region,
    country,
    address,
    accuracy,
    latitude,
    longitude,
  }: (typeof positions)[number]) {
    const place = address ?? formatter.place({ ...agent, city: city ?? region, country });
    const link =
      latitude === null || longitude === null
        ? null
        : html`<a class="act plain" rel="noopener noreferrer nofollow" href="${createMapLinks({ latitude, longitude }).openStreetMap}">${t(locale, 'finder.mapLink')}</a>`;
    return html`<p>${place && html`<bdi>${place}</bdi>`}${accuracy !== null && html` <span class="small">${formatAccuracy(accuracy, locale)}</span>`}</p>${link && html`<p>${link}</p>`}`;
  }
}
