import type { FastifyReply, FastifyRequest } from 'fastify';
import { logServiceError, setRetryAfterHeader, toRequestError } from '../../platform/http/problem-details.ts';
import { sendLocalizedMessagePage } from '../../platform/pages/page-frame.ts';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import type { ServiceError } from '../../shared/errors.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { translateWaitingTime } from '../../shared/i18n/wait.ts';
import { isClosedQrCodeError, sendClosedQrCodePage } from './closed-page.ts';
import { findOngoingConversation } from './conversation-access.ts';
import { type FinderServices, getQrCodePagePath } from './finder-services.ts';

export async function sendFinderErrorPage(
  services: Pick<FinderServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  codeId: string | null,
) {
  const problem = toRequestError(request, error);
  logServiceError(request, problem);
  setRetryAfterHeader(reply, problem);
  const locale = choosePageLocale(request);
  if (codeId !== null && isClosedQrCodeError(problem))
    return sendClosedQrCodePage(services, reply, problem, codeId, locale);
  const texts = toErrorTexts(problem, request, locale);
  // Links of the page switch the language of the code's own page.
  const address = codeId && getQrCodePagePath(services, codeId);
  return sendLocalizedMessagePage(reply, { status: problem.statusCode, locale, address, ...texts });
}

function toErrorTexts(
  { code, statusCode }: ServiceError,
  { method }: FastifyRequest,
  locale: Locale,
): { title: string; text: string } {
  if (code === 'NOT_FOUND')
    return { title: t(locale, 'finder.unknownTitle'), text: t(locale, 'finder.unknownText') };
  if (code === 'CODE_UNCLAIMED')
    return { title: t(locale, 'finder.unclaimedTitle'), text: t(locale, 'finder.unclaimedText') };
  if (code === 'CODE_UNAVAILABLE')
    return { title: t(locale, 'finder.unavailableTitle'), text: t(locale, 'finder.unavailableText') };
  if (code === 'RATE_LIMITED')
    return { title: t(locale, 'finder.limitedTitle'), text: t(locale, 'finder.limitedText') };
  if (code === 'OUTCOME_UNKNOWN' && method === 'POST')
    return { title: t(locale, 'finder.unconfirmedTitle'), text: t(locale, 'finder.unconfirmedText') };
  if (statusCode < 500)
    return { title: t(locale, 'finder.refusedTitle'), text: t(locale, 'finder.refusedText') };
  return { title: t(locale, 'finder.failedTitle'), text: t(locale, 'finder.failedText') };
}

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
  return html`${t(locale, 'conversation.tooMany')} ${translateWaitingTime(locale, retryAfterSeconds)}${link}`;
}
