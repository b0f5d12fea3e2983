import type { FastifyReply } from 'fastify';
import { ServiceError } from '../../shared/errors.ts';
import { html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { generateId } from '../../shared/ids.ts';
import { CLOSED_CODE_PRESETS } from '../conversations/presets.rules.ts';
import { codePath, type FinderServices } from './finder-services.ts';
import { type FormVisit, formToken } from './form-token.ts';
import { begunConversation } from './opened-conversation.ts';
import { ANSWER, sendPage } from './page-frame.ts';
import { begunSection } from './sections/begun.ts';
import { NOTHING_TYPED, type WriteForm, writeForm } from './sections/write-form.ts';

/** What was thrown of a code that is paused or expired. */
export type Closed = ServiceError & { code: 'CODE_PAUSED' | 'CODE_EXPIRED' };

/** How a message that was typed on the page is answered. */
export interface ClosedAnswer {
  status: number;
  /** The visit that it was typed in; a new one where it has ended. */
  visit: FormVisit | null;
  write: Pick<WriteForm, 'typed' | 'complaint' | 'asksToConfirm' | 'showsTrap'>;
}

/** Whether something was thrown because a code is paused or expired. */
export function isClosed(error: unknown): error is Closed {
  return error instanceof ServiceError && ['CODE_PAUSED', 'CODE_EXPIRED'].includes(error.code);
}

/**
 * Sends the page of a code that is paused or expired: that it is, and the form for a message where its owner takes them.
 * Nothing else of the code, not even its kind.
 */
export async function sendClosed(
  services: Pick<FinderServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>,
  reply: FastifyReply,
  { code, statusCode, members }: Closed,
  codeId: string,
  locale: Locale,
  answer: ClosedAnswer | null = null,
): Promise<FastifyReply> {
  const address = codePath(services, codeId);
  const begun = await begunConversation(services, codeId, reply.request.headers.cookie);
  const isPaused = code === 'CODE_PAUSED';
  const title = isPaused ? t(locale, 'finder.pausedTitle') : t(locale, 'finder.expiredTitle');
  const form = () => {
    const visit = answer?.visit?.token ?? formToken(services.fieldCipher, codeId, generateId(), false);
    const action = `${address}/message?lang=${locale.tag}#answer`;
    const said = { presets: CLOSED_CODE_PRESETS, kind: null, ...(answer?.write ?? NOTHING_TYPED) };
    const write = { action, visit, ...said };
    return html`<p>${t(locale, 'finder.closedWrite')}</p>\n${writeForm(write, locale)}`;
  };
  return sendPage(reply, {
    ...{ status: answer?.status ?? statusCode, locale, address, title },
    body: html`<div${answer === null && ANSWER}><h1>${title}</h1>
<p>${isPaused ? t(locale, 'finder.pausedText') : t(locale, 'finder.expiredText')}</p></div>
${begun && begunSection(begun, locale)}${members.contactable === true ? form() : answer && html`<p class="wrong"${ANSWER} role="alert">${t(locale, 'conversation.notAccepted')}</p>`}`,
  });
}
