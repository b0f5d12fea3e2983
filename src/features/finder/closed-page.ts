import type { FastifyReply } from 'fastify';
import { FORM_RESULT_HTML_ATTRIBUTES, sendLocalizedHtmlPage } from '../../platform/pages/page-frame.ts';
import { ServiceError } from '../../shared/errors.ts';
import { html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { generateId } from '../../shared/ids.ts';
import { CLOSED_CODE_MESSAGE_PRESETS } from '../conversations/index.ts';
import { findOngoingConversation } from './conversation-access.ts';
import { type FinderServices, getQrCodePagePath } from './finder-services.ts';
import { createVisitFormToken, type FormTokenVisit } from './form-token.ts';
import { renderOngoingConversation } from './sections/contact.ts';
import { EMPTY_FORM_STATE, type MessageForm, renderMessageForm } from './sections/forms.ts';

type ClosedCodeError = ServiceError & { code: 'CODE_PAUSED' | 'CODE_EXPIRED' };

interface ClosedPageFormResponse {
  status: number;
  /** The visit of the form; null to start a new one. */
  visit: FormTokenVisit | null;
  messageForm: Pick<MessageForm, 'draft' | 'errorMessage' | 'needsConfirmation' | 'showsHoneypot'>;
}

export function isClosedQrCodeError(error: unknown): error is ClosedCodeError {
  return error instanceof ServiceError && ['CODE_PAUSED', 'CODE_EXPIRED'].includes(error.code);
}

/** Send a page that shows nothing of the code, not even its kind, but a message form if allowed. */
export async function sendClosedQrCodePage(
  services: Pick<FinderServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>,
  reply: FastifyReply,
  { code, statusCode, members }: ClosedCodeError,
  codeId: string,
  locale: Locale,
  response: ClosedPageFormResponse | null = null,
): Promise<FastifyReply> {
  const address = getQrCodePagePath(services, codeId);
  const ongoing = await findOngoingConversation(services, codeId, reply.request.headers.cookie);
  const isPaused = code === 'CODE_PAUSED';
  const title = isPaused ? t(locale, 'finder.pausedTitle') : t(locale, 'finder.expiredTitle');
  const renderForm = () => {
    const visit =
      response?.visit?.token ?? createVisitFormToken(services.fieldCipher, codeId, generateId(), false);
    const action = `${address}/message?lang=${locale.tag}#answer`;
    const formState = {
      // “I’m here” beside “It’s here” only for a place that was typed before the code was paused.
      presets: CLOSED_CODE_MESSAGE_PRESETS.filter(
        (preset) => preset !== 'AM_AT' || response?.messageForm?.draft?.preset === preset,
      ),
      kind: null,
      ...(response?.messageForm ?? EMPTY_FORM_STATE),
    };
    const write = { action, visit, ...formState };
    return html`<p>${t(locale, 'finder.closedWrite')}</p>\n${renderMessageForm(write, locale, { isFolded: false })}`;
  };
  return sendLocalizedHtmlPage(reply, {
    status: response?.status ?? statusCode,
    locale,
    address,
    title,
    body: html`<div${response === null && FORM_RESULT_HTML_ATTRIBUTES}><h1>${title}</h1>
<p>${isPaused ? t(locale, 'finder.pausedText') : t(locale, 'finder.expiredText')}</p></div>
${ongoing && renderOngoingConversation(ongoing, locale)}${members.contactable === true ? renderForm() : response && html`<p class="wrong"${FORM_RESULT_HTML_ATTRIBUTES} role="alert">${t(locale, 'conversation.notAccepted')}</p>`}`,
  });
}
