import type { FastifyReply } from 'fastify';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { Html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { findGuestBookEntryById, signGuestBook } from '../memory-tags/index.ts';
import { getPublicIdempotencyOwner } from '../scans/index.ts';
import { setRetryAfterAndRenderMessage } from './error-pages.ts';
import type { FinderServices } from './finder-services.ts';
import type { FormTokenVisit } from './form-token.ts';
import { renderGuestBookWithdrawalLink, sendGuestBookEntryRemovedPage } from './guest-book-entry-page.ts';
import {
  findMessageError,
  findMessageFormRejection,
  isNonBlankName,
  type MessageFormFields,
  parseMessageFormFields,
} from './message-fields.ts';
import { sendRejectedFormPage } from './send-rejected-form.ts';
import { sendVisitPage } from './send-visit.ts';
import { getExistingVisit } from './visit.ts';

/** Store an entry idempotently and send its withdrawal link, or the rejected form (400, 403, 429). */
export async function submitGuestBookEntry(
  services: FinderServices,
  context: RequestContext,
  reply: FastifyReply,
  { codeId, visit }: { codeId: string; visit: FormTokenVisit },
  fields: MessageFormFields,
  locale: Locale,
): Promise<FastifyReply> {
  const { database, fieldCipher, createIdempotently } = services;
  const draft = parseMessageFormFields(fields);
  const error = draft.message === '' ? t(locale, 'memorial.signEmpty') : findMessageError(draft, locale);
  const rejection = findMessageFormRejection(fields, { draft, error, ageSeconds: visit.ageSeconds }, locale);
  if (rejection) return rejectForm(rejection.status, rejection.errorMessage, rejection);
  try {
    const pageVisit = await getExistingVisit(services, context, codeId, visit);
    const { code, pinRequired } = pageVisit;
    if (pinRequired || code.kind !== 'MEMORY_TAG') throw new ServiceError('NOT_CONTACTABLE');
    const content = { name: isNonBlankName(draft.name) ? draft.name : null, message: draft.message };
    const parts = [visit.id, JSON.stringify(content)];
    const idempotentContext = {
      ...context,
      idempotencyKey: fieldCipher.hash('guest-book-entry', ...parts).toString('base64url'),
    };
    const who = getPublicIdempotencyOwner(fieldCipher, context, codeId);
    const created = await createIdempotently(idempotentContext, { who, fingerprint: content }, async (tx) => {
      const id = await signGuestBook(services, context, tx, code, content);
      return { body: { id }, contentOf: code.accountId };
    });
    // The form was submitted again after the entry was withdrawn or deleted.
    const entry = created.isReplayed ? await findGuestBookEntryById(database.client, created.body.id) : null;
    if (created.isReplayed && entry?.deletedAt !== null)
      return sendGuestBookEntryRemovedPage(reply, false, locale);
    const link = renderGuestBookWithdrawalLink(services, { codeId, entryId: created.body.id }, locale);
    const confirmation = { text: t(locale, 'memorial.signDone'), link, topic: 'guestBook' } as const;
    return await sendVisitPage(services, reply, pageVisit, locale, {
      status: 200,
      errorMessage: null,
      confirmation,
    });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, statusCode, retryAfterSeconds } = error;
    if (code === 'RATE_LIMITED')
      return rejectForm(
        429,
        await setRetryAfterAndRenderMessage(services, reply, codeId, retryAfterSeconds, locale),
      );
    if (['NOT_CONTACTABLE', 'CODE_PAUSED', 'CODE_EXPIRED'].includes(code))
      return rejectForm(statusCode, t(locale, 'memorial.signNotAccepted'));
    if (code === 'CONFLICT') return rejectForm(statusCode, t(locale, 'conversation.notSent'));
    throw error;
  }

  async function rejectForm(
    status: number,
    errorMessage: string | Html,
    { needsConfirmation = false, showsHoneypot = false } = {},
  ): Promise<FastifyReply> {
    const form = { codeId, visit, getVisit: () => getExistingVisit(services, context, codeId, visit) };
    const guestBookForm = {
      errorMessage,
      draft,
      needsConfirmation,
      showsHoneypot,
    };
    return sendRejectedFormPage(services, reply, form, locale, { status, guestBookForm });
  }
}
