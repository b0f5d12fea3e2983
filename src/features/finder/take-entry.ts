import type { FastifyReply } from 'fastify';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { Html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { findEntryOfAny } from '../memory-tags/guest-book.repository.ts';
import { signGuestBook } from '../memory-tags/sign-guest-book.ts';
import { publicKeyHolder } from '../scans/visitor.ts';
import { sendNoEntry, wayToWithdraw } from './entry-page.ts';
import type { FinderServices } from './finder-services.ts';
import type { FormVisit } from './form-token.ts';
import { showVisit } from './record-visit.ts';
import { sendUnsent } from './send-unsent.ts';
import { sendVisitPage } from './send-visit.ts';
import { tooManyMessages } from './too-many-messages.ts';
import { faultOf, isSeenName, type MessageFields, refusalOf, typedOf } from './typed-message.ts';

/**
 * Takes an entry of a guest book from the form of a visit, once however often it is sent: the page with thanks and the link by which it is withdrawn; or as before
 * with what was typed and what is wrong or asked (400, 403, 429). The rules are those of messages.
 */
export async function takeEntry(
  services: FinderServices,
  context: RequestContext,
  reply: FastifyReply,
  { codeId, visit }: { codeId: string; visit: FormVisit },
  fields: MessageFields,
  locale: Locale,
): Promise<FastifyReply> {
  const { database, fieldCipher, createIdempotently } = services;
  const typed = typedOf(fields);
  const wrong = typed.message === '' ? t(locale, 'memorial.signEmpty') : faultOf(typed, locale);
  const refusal = refusalOf(fields, { typed, wrong, age: visit.age }, locale);
  if (refusal) return again(refusal.status, refusal.complaint, refusal);
  try {
    const shown = await showVisit(services, context, codeId, visit);
    const { code, pinRequired } = shown;
    if (pinRequired || code.kind !== 'MEMORY_TAG') throw new ServiceError('NOT_CONTACTABLE');
    const content = { name: isSeenName(typed.name) ? typed.name : null, message: typed.message };
    const parts = [visit.id, JSON.stringify(content)];
    const once = {
      ...context,
      idempotencyKey: fieldCipher.hash('guest-book-entry', ...parts).toString('base64url'),
    };
    const who = publicKeyHolder(fieldCipher, context, codeId);
    const made = await createIdempotently(once, { who, sameAs: content }, async (tx) => {
      const id = await signGuestBook(services, context, tx, code, content);
      return { body: { id }, contentOf: code.ownerId };
    });
    // The form was sent again after the entry was withdrawn.
    if (made.isReplayed && !(await findEntryOfAny(database.client, made.body.id)))
      return sendNoEntry(reply, false, locale);
    const way = wayToWithdraw(services, { codeId, entryId: made.body.id }, locale);
    const done = { text: t(locale, 'memorial.signDone'), way, isOfConversation: false };
    return await sendVisitPage(services, reply, shown, locale, { status: 200, complaint: null, done });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, statusCode, retryAfterSeconds } = error;
    if (code === 'RATE_LIMITED')
      return again(429, await tooManyMessages(services, reply, codeId, retryAfterSeconds, locale));
    if (['NOT_CONTACTABLE', 'CODE_PAUSED', 'CODE_EXPIRED'].includes(code))
      return again(statusCode, t(locale, 'memorial.signNotAccepted'));
    if (code === 'CONFLICT') return again(statusCode, t(locale, 'conversation.notSent'));
    throw error;
  }

  async function again(
    status: number,
    complaint: string | Html,
    { asksToConfirm = false, showsTrap = false } = {},
  ): Promise<FastifyReply> {
    const same = { codeId, visit, show: () => showVisit(services, context, codeId, visit) };
    const sign = { complaint, typed, asksToConfirm, showsTrap };
    return sendUnsent(services, reply, same, locale, { status, sign });
  }
}
