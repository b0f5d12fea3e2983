import type { FastifyReply } from 'fastify';
import {
  FORM_RESULT_HTML_ATTRIBUTES,
  MAX_PAGE_SECTIONS_BYTES,
  sendLocalizedHtmlPage,
} from '../../platform/pages/page-frame.ts';
import { tolerateIntegrityFailures } from '../../platform/report-integrity-failures.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../shared/i18n/translate.ts';
import { decodeTimeCursor, encodeTimeCursor } from '../../shared/time-cursor.ts';
import {
  createConversationToken,
  FINDER_NAME,
  findConversationReportBySide,
  findConversationState,
  listMessagesForSide,
  MAX_MESSAGE_CHARACTERS,
  markConversationRead,
  toThreadMessageView,
} from '../conversations/index.ts';
import { isBotOrPreviewRequest, toScanVisitor } from '../scans/index.ts';
import type { ConversationAccess } from './conversation-access.ts';
import { countMarkupBytes, renderWithinBytes } from './field-value.ts';
import {
  type FinderServices,
  getConversationLink,
  getConversationPath,
  getCopyScriptPath,
  getFinderBasePath,
} from './finder-services.ts';
import { createConversationFormToken } from './form-token.ts';
import { renderConversationMessagesSection, renderPrivateLink } from './sections/contact.ts';
import { type RejectedConversationReport, renderConversationReportSection } from './sections/forms.ts';

const MAX_MESSAGES = 30;

export interface RejectedReply {
  message: string;
  errorMessage: string;
  needsConfirmation: boolean;
}

export interface ConversationPageState {
  status: number;
  rejectedReply: RejectedReply | null;
  rejectedReport: RejectedConversationReport | null;
  /** Undefined for the newest messages. */
  cursor?: string | undefined;
}

/** Mark messages of the other side as read, except for bots and link previews. */
export async function sendConversationPage(
  services: FinderServices,
  context: RequestContext,
  reply: FastifyReply,
  access: ConversationAccess,
  locale: Locale,
  { status, rejectedReply, rejectedReport, cursor }: ConversationPageState,
): Promise<FastifyReply> {
  const { fieldCipher } = services;
  const { row, side } = access;
  const address = getConversationPath(services, row);
  // Before the messages are read, so that the script does not miss one.
  const state = await findConversationState(services.database.client, row, side);
  const { database } = services;
  if (!isBotOrPreviewRequest(toScanVisitor(context)))
    await markConversationRead(database, context, { conversation: row, reader: side });
  const range = { after: cursor === undefined ? null : decodeTimeCursor(cursor), take: MAX_MESSAGES + 1 };
  const rows = await listMessagesForSide(database.client, { conversation: row, reader: side }, range);
  const report = await findConversationReportBySide(services.database.client, row, side);
  const isOpen = row.status === 'OPEN';
  const token = createConversationFormToken(fieldCipher, access);
  const { name, views } = await tolerateIntegrityFailures(database, context, (readTolerantly) => ({
    name: side === 'OWNER' ? readTolerantly(() => FINDER_NAME.decrypt(fieldCipher, row)) : null,
    views: rows
      .slice(0, MAX_MESSAGES)
      .map((message) => toThreadMessageView(fieldCipher, message, locale, readTolerantly)),
  }));
  const date = new Intl.DateTimeFormat(locale.tag, { dateStyle: 'long', timeZone: 'UTC' }).format(
    row.expiresAt,
  );
  const link = getConversationLink(
    services,
    row.qrCodeId,
    createConversationToken(fieldCipher, row.id, access.participant),
  );
  const head = html`<h1>${t(locale, 'conversation.title')}</h1>
${side === 'OWNER' && html`<p>${translateHtml(locale, 'conversation.about', { title: html`<bdi>${row.qrCode.title}</bdi>` })}${name && html` · ${translateHtml(locale, 'conversation.finderNamed', { name: html`<bdi>${name}</bdi>` })}`}</p>`}
`;
  const footer = html`
${isOpen ? renderReplyForm(address, token, rejectedReply, locale) : html`<p class="wrong"${rejectedReport === null && FORM_RESULT_HTML_ATTRIBUTES}>${t(locale, 'conversation.ended')}</p>`}
<p><a href="${address}?lang=${locale.tag}">${t(locale, 'conversation.refresh')}</a></p>
<p>${t(locale, 'conversation.keepLink')}</p>
${renderPrivateLink(link, t(locale, 'conversation.keepButton'), { copyScript: getCopyScriptPath(services), locale })}
${isOpen && renderActionForm(`${address}/end`, token, [t(locale, 'conversation.endTitle'), t(locale, 'conversation.endText'), t(locale, 'conversation.endButton')], locale)}
${side === 'FINDER' && row.finderEmail && html`<form method="post" action="${address}/forget-email?lang=${locale.tag}#answer"><input type="hidden" name="visit" value="${token}"><button>${t(locale, 'conversation.forgetEmail')}</button></form>`}
${side === 'OWNER' && renderActionForm(`${address}/block`, token, [t(locale, 'conversation.blockTitle'), t(locale, 'conversation.blockText'), t(locale, 'conversation.blockButton')], locale)}
${renderConversationReportSection({ action: `${address}/report`, token, report, rejectedReport }, locale)}
<p>${t(locale, 'conversation.endsAt', { date })}</p><script src="${getFinderBasePath(services)}/conversation.js" defer></script>`;
  const isAnswer = isOpen && rejectedReply === null && rejectedReport === null && cursor === undefined;
  const updates = isAnswer ? { address: `${address}/updates`, state } : null;
  const viewOptions = { reader: side, isAnswer, updates };
  const renderOlderLink = (after: string) =>
    html`<p><a href="${address}?lang=${locale.tag}&amp;cursor=${after}">${t(locale, 'conversation.older')}</a></p>\n`;
  // Every cursor has the same length.
  const parts = [head, footer, renderOlderLink(encodeTimeCursor({ at: row.createdAt, id: row.id }))];
  const bytes = MAX_PAGE_SECTIONS_BYTES - parts.reduce((sum, part) => sum + countMarkupBytes(part), 0);
  const messages = renderWithinBytes(
    views,
    (some) => renderConversationMessagesSection(some.toReversed(), viewOptions, locale),
    bytes,
  );
  const oldest = messages?.value.at(-1);
  const hasOlder = rows.length > MAX_MESSAGES || messages?.isWhole === false;
  return sendLocalizedHtmlPage(reply, {
    status,
    locale,
    address,
    title: t(locale, 'conversation.title'),
    fetchesUpdates: updates !== null,
    body: html`${head}${hasOlder && oldest && renderOlderLink(encodeTimeCursor({ at: new Date(oldest.sentAt), id: oldest.id }))}${messages?.markup}${footer}`,
  });
}

function renderReplyForm(
  address: string,
  token: string,
  rejectedReply: RejectedReply | null,
  locale: Locale,
): Html {
  const described = rejectedReply ? html` aria-invalid="true" aria-describedby="answer"` : null;
  const needsConfirmation = rejectedReply?.needsConfirmation === true;
  return html`<form method="post" action="${address}?lang=${locale.tag}#answer">
${rejectedReply && html`<p class="wrong"${FORM_RESULT_HTML_ATTRIBUTES} role="alert">${rejectedReply.errorMessage}</p>\n`}<input type="hidden" name="visit" value="${token}">
${needsConfirmation && html`<input type="hidden" name="confirmed" value="yes">\n`}<label for="message">${t(locale, 'conversation.answerLabel')}</label>
<textarea id="message" name="message" rows="4" maxlength="${MAX_MESSAGE_CHARACTERS}" dir="auto" required${described}>${rejectedReply?.message ?? ''}</textarea>
<button>${needsConfirmation ? t(locale, 'conversation.sendAnyway') : t(locale, 'conversation.sendButton')}</button></form>`;
}

function renderActionForm(
  action: string,
  token: string,
  [title, text, button]: readonly [string, string, string],
  { tag }: Locale,
): Html {
  return html`<details><summary>${title}</summary><form method="post" action="${action}?lang=${tag}#answer"><p>${text}</p>
<input type="hidden" name="visit" value="${token}"><button>${button}</button></form></details>`;
}
