import type { FastifyReply, FastifyRequest } from 'fastify';
import { logProblem, setRetryAfter, toServiceError } from '../../platform/http/problem-details.ts';
import { FORM_RESULT_ATTRIBUTES, sendHtmlPage, sendMessagePage } from '../../platform/pages/page-frame.ts';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { ServiceError } from '../../shared/errors.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { translateWait } from '../../shared/i18n/wait.ts';
import { generateId } from '../../shared/ids.ts';
import { CLOSED_CODE_PRESETS } from '../conversations/index.ts';
import { findOngoingConversation } from './conversation-access.ts';
import { type FinderServices, getCodePath } from './finder-services.ts';
import { createFormToken, type FormVisit } from './form-token.ts';
import { renderOngoingConversation } from './sections/contact.ts';
import { EMPTY_FORM_STATE, type MessageForm, renderMessageForm } from './sections/forms.ts';

/** Send an error as an HTML page with its status and Retry-After. */
export async function sendErrorPage(
  services: Pick<FinderServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  codeId: string | null,
) {
  const problem = toServiceError(error);
  logProblem(request, problem);
  setRetryAfter(reply, problem);
  const locale = choosePageLocale(request);
  if (codeId !== null && isClosedCodeError(problem))
    return sendClosedPage(services, reply, problem, codeId, locale);
  const texts = toErrorTexts(problem, locale);
  // Links of the page switch the language of the code's own page.
  const address = codeId && getCodePath(services, codeId);
  return sendMessagePage(reply, { status: problem.statusCode, locale, address, ...texts });
}

function toErrorTexts({ code, statusCode }: ServiceError, locale: Locale): { title: string; text: string } {
  if (code === 'NOT_FOUND')
    return { title: t(locale, 'finder.unknownTitle'), text: t(locale, 'finder.unknownText') };
  if (code === 'CODE_UNCLAIMED')
    return { title: t(locale, 'finder.unclaimedTitle'), text: t(locale, 'finder.unclaimedText') };
  if (code === 'RATE_LIMITED')
    return { title: t(locale, 'finder.limitedTitle'), text: t(locale, 'finder.limitedText') };
  if (statusCode < 500)
    return { title: t(locale, 'finder.refusedTitle'), text: t(locale, 'finder.refusedText') };
  return { title: t(locale, 'finder.failedTitle'), text: t(locale, 'finder.failedText') };
}

type ClosedCodeError = ServiceError & { code: 'CODE_PAUSED' | 'CODE_EXPIRED' };

/** Response to a message form submitted on the closed page. */
interface ClosedPageFormResponse {
  status: number;
  /** The visit of the form; null to start a new one. */
  visit: FormVisit | null;
  messageForm: Pick<MessageForm, 'draft' | 'errorMessage' | 'needsConfirmation' | 'showsHoneypot'>;
}

/** Check for CODE_PAUSED or CODE_EXPIRED. */
export function isClosedCodeError(error: unknown): error is ClosedCodeError {
  return error instanceof ServiceError && ['CODE_PAUSED', 'CODE_EXPIRED'].includes(error.code);
}

/**
 * Send the page of a paused or expired code, with a message form if the owner accepts messages. It shows nothing else
 * of the code, not even its kind.
 */
export async function sendClosedPage(
  services: Pick<FinderServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>,
  reply: FastifyReply,
  { code, statusCode, members }: ClosedCodeError,
  codeId: string,
  locale: Locale,
  response: ClosedPageFormResponse | null = null,
): Promise<FastifyReply> {
  const address = getCodePath(services, codeId);
  const ongoing = await findOngoingConversation(services, codeId, reply.request.headers.cookie);
  const isPaused = code === 'CODE_PAUSED';
  const title = isPaused ? t(locale, 'finder.pausedTitle') : t(locale, 'finder.expiredTitle');
  const renderForm = () => {
    const visit =
      response?.visit?.token ?? createFormToken(services.fieldCipher, codeId, generateId(), false);
    const action = `${address}/message?lang=${locale.tag}#answer`;
    const formState = {
      presets: CLOSED_CODE_PRESETS,
      kind: null,
      ...(response?.messageForm ?? EMPTY_FORM_STATE),
    };
    const write = { action, visit, ...formState };
    return html`<p>${t(locale, 'finder.closedWrite')}</p>\n${renderMessageForm(write, locale)}`;
  };
  return sendHtmlPage(reply, {
    status: response?.status ?? statusCode,
    locale,
    address,
    title,
    body: html`<div${response === null && FORM_RESULT_ATTRIBUTES}><h1>${title}</h1>
<p>${isPaused ? t(locale, 'finder.pausedText') : t(locale, 'finder.expiredText')}</p></div>
${ongoing && renderOngoingConversation(ongoing, locale)}${members.contactable === true ? renderForm() : response && html`<p class="wrong"${FORM_RESULT_ATTRIBUTES} role="alert">${t(locale, 'conversation.notAccepted')}</p>`}`,
  });
}

/** Set Retry-After and render the message, with a link to the ongoing conversation if there is one. */
export async function setRetryAfterAndRenderMessage(
  services: FinderServices,
  reply: FastifyReply,
  codeId: string,
  retryAfterSeconds = 60,
  locale: Locale,
): Promise<Html> {
  const { tag } = locale;
  reply.header('Retry-After', retryAfterSeconds);
  const ongoing = await findOngoingConversation(services, codeId, reply.request.headers.cookie);
  const link =
    ongoing && html` <a href="${ongoing.address}?lang=${tag}">${t(locale, 'conversation.openButton')}</a>`;
  return html`${t(locale, 'conversation.tooMany')} ${translateWait(locale, retryAfterSeconds)}${link}`;
}
