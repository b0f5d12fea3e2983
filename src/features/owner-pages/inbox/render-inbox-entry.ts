import type { Static } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import type { ConversationSchema } from '../../conversations/index.ts';
import { createScanReportFormatter } from '../../scans/index.ts';
import { renderBadge } from '../components.ts';

const UNKNOWN_AGENT = { device: 'unknown', os: 'unknown', browser: 'unknown' };

/** @param path of the inbox */
export function renderInboxEntry(
  path: string,
  conversation: Static<typeof ConversationSchema>,
  timeZone: string,
  locale: Locale,
  { isBelowHeading = false }: { isBelowHeading?: boolean } = {},
): Html {
  const { id, title, finderName, unread, status, blocked, lastMessage, lastMessageAt, lastPlace } =
    conversation;
  const place =
    lastPlace &&
    createScanReportFormatter(locale).place({
      ...UNKNOWN_AGENT,
      city: lastPlace.city ?? lastPlace.region,
      country: lastPlace.country,
    });
  const format = new Intl.DateTimeFormat(locale.tag, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const snippet = lastMessage?.message && html`<bdi>${lastMessage.message}</bdi>`;
  const facts = [
    finderName ? html`<bdi>${finderName}</bdi>` : html`${t(locale, 'conversation.finder')}`,
    ...(place ? [html`<bdi>${place}</bdi>`] : []),
    html`<time datetime="${lastMessageAt}">${format.format(new Date(lastMessageAt))}</time>`,
  ];
  const heading = html`<a href="${path}/${id}"><bdi>${title}</bdi></a>${renderBadge(unread, t(locale, 'app.inbox.unread', { count: unread }))}`;
  return html`<li${unread > 0 && html` class="unread"`}><div>${isBelowHeading ? html`<h3>${heading}</h3>` : html`<h2>${heading}</h2>`}
<p class="small">${facts.map((fact, index) => html`${index > 0 && ' · '}${fact}`)}${status === 'ENDED' && html` <span class="chip">${t(locale, blocked ? 'app.inbox.isBlockedShort' : 'app.inbox.ended')}</span>`}</p>
${snippet && html`<p class="text">${lastMessage?.from === 'OWNER' ? translateHtml(locale, 'app.inbox.ownMessage', { message: snippet }) : snippet}</p>`}</div></li>
`;
}
