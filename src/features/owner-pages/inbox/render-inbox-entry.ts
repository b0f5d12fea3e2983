import type { Static } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import type { ConversationSchema, ScanWithoutMessage } from '../../conversations/index.ts';
import { formatScanPlace, renderShortTime } from '../codes/code-parts.ts';
import { renderBadge } from '../components.ts';

/** @param path of the inbox */
export function renderInboxEntry(
  path: string,
  conversation: Static<typeof ConversationSchema>,
  timeZone: string,
  locale: Locale,
  { isBelowHeading = false }: { isBelowHeading?: boolean } = {},
): Html {
  const {
    id,
    title,
    finderName,
    assigneeName,
    unread,
    status,
    blocked,
    done,
    lastMessage,
    lastMessageAt,
    lastPlace,
  } = conversation;
  const place = lastPlace && formatScanPlace(lastPlace, locale);
  const snippet = lastMessage?.message && html`<bdi>${lastMessage.message}</bdi>`;
  const facts = [
    finderName ? html`<bdi>${finderName}</bdi>` : html`${t(locale, 'conversation.finder')}`,
    ...(place ? [html`<bdi>${place}</bdi>`] : []),
    renderShortTime(new Date(lastMessageAt), timeZone, locale),
    ...(assigneeName
      ? [translateHtml(locale, 'app.inbox.assignedTo', { name: html`<bdi>${assigneeName}</bdi>` })]
      : []),
  ];
  const chip = chooseChip();
  const heading = html`<a href="${path}/${id}"><bdi>${title}</bdi></a>${renderBadge(unread, t(locale, 'app.inbox.unread', { count: unread }))}`;
  return html`<li${unread > 0 && html` class="unread"`}><div>${isBelowHeading ? html`<h3>${heading}</h3>` : html`<h2>${heading}</h2>`}
<p class="small">${facts.map((fact, index) => html`${index > 0 && ' · '}${fact}`)}${chip && html` <span class="chip">${t(locale, chip)}</span>`}</p>
${snippet && html`<p class="text">${lastMessage?.from === 'OWNER' ? translateHtml(locale, 'app.inbox.ownMessage', { message: snippet }) : snippet}</p>`}</div></li>
`;

  function chooseChip() {
    if (status === 'ENDED') return blocked ? 'app.inbox.isBlockedShort' : 'app.inbox.ended';
    return done ? 'app.inbox.doneTab' : null;
  }
}

/** Render a scan whose finder shared a place and wrote nothing. @param accountPath of the pages of the account */
export function renderScanEntry(
  accountPath: string,
  { id, qrCodeId, title, scannedAt, ...area }: ScanWithoutMessage,
  timeZone: string,
  locale: Locale,
): Html {
  const place = formatScanPlace(area, locale);
  return html`<li><div><h2><a href="${accountPath}/codes/${qrCodeId}/scans/${id}"><bdi>${title}</bdi></a></h2>
<p class="small">${place && html`<bdi>${place}</bdi> · `}${renderShortTime(scannedAt, timeZone, locale)}</p>
<p class="text">${t(locale, 'app.inbox.placeOnly')}</p></div></li>
`;
}
