import type { Static } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import type { ConversationMessage, ConversationSchema } from '../../conversations/index.ts';
import { createScanReportFormatter, type ScanArea } from '../../scans/index.ts';
import { renderBadge } from '../components.ts';

export interface InboxEntry {
  conversation: Static<typeof ConversationSchema>;
  /** The newest message. */
  message: ((locale: Locale) => Static<typeof ConversationMessage>) | null;
  /** Where the scan of the finder was; null if it is not known. */
  area: ScanArea | null;
}

const MAX_SNIPPET_CHARACTERS = 120;

const UNKNOWN_AGENT = { device: 'unknown', os: 'unknown', browser: 'unknown' };

/** @param path of the inbox */
export function renderInboxEntry(
  path: string,
  { conversation, message, area }: InboxEntry,
  timeZone: string,
  locale: Locale,
): Html {
  const { id, title, finderName, unread, status, blocked, lastMessageAt } = conversation;
  const place =
    area &&
    createScanReportFormatter(locale).place({
      ...UNKNOWN_AGENT,
      city: area.city ?? area.region,
      country: area.country,
    });
  const format = new Intl.DateTimeFormat(locale.tag, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const newest = message?.(locale);
  const snippet = newest && html`<bdi>${truncate(newest.message)}</bdi>`;
  const facts = [
    finderName ? html`<bdi>${finderName}</bdi>` : html`${t(locale, 'conversation.finder')}`,
    ...(place ? [html`<bdi>${place}</bdi>`] : []),
    html`<time datetime="${lastMessageAt}">${format.format(new Date(lastMessageAt))}</time>`,
  ];
  return html`<li${unread > 0 && html` class="unread"`}><div><h2><a href="${path}/${id}"><bdi>${title}</bdi></a>${renderBadge(unread, t(locale, 'app.inbox.unread', { count: unread }))}</h2>
<p class="small">${facts.map((fact, index) => html`${index > 0 && ' · '}${fact}`)}${status === 'ENDED' && html` <span class="chip">${t(locale, blocked ? 'app.inbox.isBlockedShort' : 'app.inbox.ended')}</span>`}</p>
${snippet && html`<p class="text">${newest?.from === 'OWNER' ? translateHtml(locale, 'app.inbox.ownMessage', { message: snippet }) : snippet}</p>`}</div></li>
`;
}

function truncate(text: string): string {
  const characters = [...text.replaceAll(/\s+/g, ' ')];
  return characters.length > MAX_SNIPPET_CHARACTERS
    ? `${characters.slice(0, MAX_SNIPPET_CHARACTERS).join('')}…`
    : characters.join('');
}
