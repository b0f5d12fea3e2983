import type { FastifyReply } from 'fastify';
import type { RequestContext } from '../../platform/request-context.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../shared/i18n/translate.ts';
import { encodeTimeCursor } from '../../shared/time-cursor.ts';
import { createConversationToken } from '../conversations/conversation-token.ts';
import { MAX_MESSAGE_CHARACTERS } from '../conversations/conversations.schemas.ts';
import { decryptFinderName } from '../conversations/encrypted-conversation-fields.ts';
import { readMessagePage } from '../conversations/read-messages.ts';
import { findReportBySide } from '../conversations/report.repository.ts';
import { isRobot } from '../scans/scan-class.rules.ts';
import { visitorOf } from '../scans/visitor.ts';
import { conversationLink, conversationPath, type FinderServices } from './finder-services.ts';
import { bytesOf, fit } from './fit.ts';
import { conversationFormToken } from './form-token.ts';
import type { Opened } from './opened-conversation.ts';
import { ANSWER, SECTIONS_BYTES, sendPage } from './page-frame.ts';
import { messagesSection } from './sections/messages.ts';
import { reportSection, type Unreported } from './sections/report-form.ts';
import { linkToKeep } from './sections/way-to.ts';

/** Messages on a page, where so many fit. */
const SHOWN = 30;

/** What was wrong with an answer that was typed; or what it shows of its sender, who is asked. */
export interface Unsent {
  message: string;
  complaint: string;
  asksToConfirm: boolean;
}

/** How the page answers what was done on it. */
export interface ConversationAnswer {
  status: number;
  unsent: Unsent | null;
  unreported: Unreported | null;
  /** The place in the messages after which it goes on, towards older ones; not given where it begins with the newest. */
  cursor?: string | undefined;
}

/**
 * Sends the page of a conversation to one of its sides; what the other wrote is read from then on, unless a robot asks, or a
 * messenger that makes a preview of the link. Throws DATA_INTEGRITY.
 */
export async function sendConversation(
  services: FinderServices,
  context: RequestContext,
  reply: FastifyReply,
  opened: Opened,
  locale: Locale,
  { status, unsent, unreported, cursor }: ConversationAnswer,
): Promise<FastifyReply> {
  const { fieldCipher } = services;
  const { row, side } = opened;
  const address = conversationPath(services, row);
  const reading = { conversation: row, reader: side, isLook: isRobot(visitorOf(context)) };
  const read = await readMessagePage(services, context, reading, { limit: SHOWN, cursor }, locale);
  const report = await findReportBySide(services.database.client, row.id, side);
  const isOpen = row.status === 'OPEN';
  const token = conversationFormToken(fieldCipher, opened);
  const name = side === 'OWNER' ? decryptFinderName(fieldCipher, row) : null;
  const date = new Intl.DateTimeFormat(locale.tag, { dateStyle: 'long', timeZone: 'UTC' }).format(
    row.expiresAt,
  );
  const head = html`<h1>${t(locale, 'conversation.title')}</h1>
${side === 'OWNER' && html`<p>${translateHtml(locale, 'conversation.about', { title: html`<bdi>${row.qrCode.title}</bdi>` })}${name && html` · ${translateHtml(locale, 'conversation.finderNamed', { name: html`<bdi>${name}</bdi>` })}`}</p>`}
`;
  const below = html`
${isOpen ? answerForm(address, token, unsent, locale) : html`<p class="wrong"${unreported === null && ANSWER}>${t(locale, 'conversation.ended')}</p>`}
<p><a href="${address}?lang=${locale.tag}">${t(locale, 'conversation.refresh')}</a></p>
${isOpen && actionForm(`${address}/end`, token, [t(locale, 'conversation.endTitle'), t(locale, 'conversation.endText'), t(locale, 'conversation.endButton')], locale)}
${side === 'FINDER' && row.finderEmail && html`<form method="post" action="${address}/forget-email?lang=${locale.tag}#answer"><input type="hidden" name="visit" value="${token}"><button>${t(locale, 'conversation.forgetEmail')}</button></form>`}
${side === 'OWNER' && actionForm(`${address}/block`, token, [t(locale, 'conversation.blockTitle'), t(locale, 'conversation.blockText'), t(locale, 'conversation.blockButton')], locale)}
${reportSection({ action: `${address}/report`, token, report, unreported }, locale)}
<p>${t(locale, 'conversation.keepLink')}</p>
${linkToKeep(conversationLink(services, row.qrCodeId, createConversationToken(fieldCipher, row.id, side)))}
<p>${t(locale, 'conversation.endsAt', { date })}</p>`;
  const isAnswer = isOpen && unsent === null && unreported === null && cursor === undefined;
  const seen = { reader: side, timeZone: 'UTC', isAnswer };
  const wayBack = (after: string) =>
    html`<p><a href="${address}?lang=${locale.tag}&amp;cursor=${after}">${t(locale, 'conversation.older')}</a></p>\n`;
  // Any place takes as many bytes.
  const parts = [head, below, wayBack(encodeTimeCursor({ at: row.createdAt, id: row.id }))];
  const bytes = SECTIONS_BYTES - parts.reduce((sum, part) => sum + bytesOf(part), 0);
  // The newest come first here, so that the oldest are left out first.
  const messages = fit(read.data, (some) => messagesSection(some.toReversed(), seen, locale), bytes);
  const oldest = messages?.value.at(-1);
  const hasOlder = read.pagination.hasMore || messages?.isWhole === false;
  return sendPage(reply, {
    ...{ status, locale, address, title: t(locale, 'conversation.title') },
    body: html`${head}${hasOlder && oldest && wayBack(encodeTimeCursor({ at: new Date(oldest.sentAt), id: oldest.id }))}${messages?.markup}${below}`,
  });
}

function answerForm(address: string, token: string, unsent: Unsent | null, locale: Locale): Html {
  const described = unsent ? html` aria-invalid="true" aria-describedby="answer"` : null;
  const isAsked = unsent?.asksToConfirm === true;
  return html`<form method="post" action="${address}?lang=${locale.tag}#answer">
${unsent && html`<p class="wrong"${ANSWER} role="alert">${unsent.complaint}</p>\n`}<input type="hidden" name="visit" value="${token}">
${isAsked && html`<input type="hidden" name="confirmed" value="yes">\n`}<label for="message">${t(locale, 'conversation.answerLabel')}</label>
<textarea id="message" name="message" rows="4" maxlength="${MAX_MESSAGE_CHARACTERS}" dir="auto" required${described}>${unsent?.message ?? ''}</textarea>
<button>${isAsked ? t(locale, 'conversation.sendAnyway') : t(locale, 'conversation.sendButton')}</button></form>`;
}

function actionForm(
  action: string,
  token: string,
  [title, text, button]: readonly [string, string, string],
  { tag }: Locale,
): Html {
  return html`<details><summary>${title}</summary><form method="post" action="${action}?lang=${tag}#answer"><p>${text}</p>
<input type="hidden" name="visit" value="${token}"><button>${button}</button></form></details>`;
}
