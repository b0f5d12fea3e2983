import type { FastifyReply } from 'fastify';
import type { Db } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { normalizeEmail } from '../accounts/email.rules.ts';
import type { ConversationOrigin } from '../conversations/conversation-origin.ts';
import { parseMessageContent } from '../conversations/write-message.ts';
import { findQrCode } from '../qrcodes/qrcode.repository.ts';
import { findScan } from '../scans/scan.repository.ts';
import { beginConversation } from './begin-conversation.ts';
import type { FinderServices } from './finder-services.ts';
import type { FormVisit } from './form-token.ts';
import { ANSWER, sendPage } from './page-frame.ts';
import { showVisit } from './record-visit.ts';
import { wayTo } from './sections/way-to.ts';
import { sendUnsent } from './send-unsent.ts';
import { tooManyMessages } from './too-many-messages.ts';
import { faultOf, isSeenName, type MessageFields, refusalOf, typedOf } from './typed-message.ts';

/**
 * Takes a first message from the form of a visit, once however often it is sent: a page that says so, with the way to the
 * conversation; or the page as before with what was typed and what is wrong or asked (400, 403, 409, 429).
 */
export async function takeMessage(
  services: FinderServices,
  context: RequestContext,
  reply: FastifyReply,
  { codeId, visit }: { codeId: string; visit: FormVisit },
  fields: MessageFields,
  locale: Locale,
): Promise<FastifyReply> {
  const { database } = services;
  const typed = typedOf(fields);
  const email = typed.email === '' ? null : normalizeEmail(typed.email);
  const wrong =
    typed.email !== '' && email === null ? t(locale, 'conversation.emailInvalid') : faultOf(typed, locale);
  const refusal = refusalOf(fields, { typed, wrong, age: visit.age }, locale);
  if (refusal) return again(refusal.status, refusal.complaint, refusal);
  try {
    const content = parseMessageContent(typed);
    const origin = await originOf(database.client, codeId, visit);
    const name = isSeenName(typed.name) ? typed.name : null;
    return sent(await beginConversation(services, context, reply, origin, { content, name, email }));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, statusCode, retryAfterSeconds } = error;
    if (code === 'RATE_LIMITED')
      return again(429, await tooManyMessages(services, reply, codeId, retryAfterSeconds, locale));
    // A ready sentence that is on no page of this code.
    if (code === 'VALIDATION_FAILED') return again(statusCode, t(locale, 'conversation.messageMissing'));
    if (code === 'CONVERSATION_ENDED') return again(statusCode, t(locale, 'conversation.ended'));
    if (code === 'NOT_CONTACTABLE') return again(statusCode, t(locale, 'conversation.notAccepted'));
    if (code === 'CONFLICT') return again(statusCode, t(locale, 'conversation.notSent'));
    throw error;
  }

  function sent(link: string): FastifyReply {
    return sendPage(reply, {
      ...{ status: 200, locale, address: null, title: t(locale, 'conversation.sentTitle') },
      body: html`<div${ANSWER}><h1>${t(locale, 'conversation.sentTitle')}</h1>${wayTo(link, email !== null, locale)}</div>`,
    });
  }

  async function again(
    status: number,
    complaint: string | Html,
    { asksToConfirm = false, showsTrap = false } = {},
  ): Promise<FastifyReply> {
    const same = { codeId, visit, show: () => showVisit(services, context, codeId, visit) };
    const write = { complaint, typed, asksToConfirm, showsTrap };
    return sendUnsent(services, reply, same, locale, { status, write });
  }
}

/** What a conversation is begun from by the form of a visit. Throws NOT_FOUND for a code that is gone. */
async function originOf(db: Db, codeId: string, visit: FormVisit): Promise<ConversationOrigin> {
  const scan = visit.isScan ? await findScan(db, visit.id) : null;
  const qrCode = visit.isScan ? scan?.qrCode : await findQrCode(db, codeId);
  if (!qrCode || qrCode.id !== codeId || qrCode.status === 'DELETED') throw new ServiceError('NOT_FOUND');
  return { ...visit, qrCode };
}
