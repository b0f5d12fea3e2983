import type { FastifyReply, FastifyRequest } from 'fastify';
import { logServiceError, setRetryAfterHeader, toRequestError } from '../../platform/http/problem-details.ts';
import { isFormOfOwnPage } from '../../platform/pages/cross-site-forms.ts';
import { readRefusedForm } from '../../platform/pages/form-body.ts';
import { FORM_RESULT_HTML_ATTRIBUTES, sendLocalizedHtmlPage } from '../../platform/pages/page-frame.ts';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { getBasePath } from '../../shared/base-path.ts';
import { isRetryableError, type ServiceError } from '../../shared/errors.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { translateWaitingTime } from '../../shared/i18n/wait.ts';
import { openUnclaimedTag } from '../scans/index.ts';
import { isClosedQrCodeError, sendClosedQrCodePage } from './closed-page.ts';
import { findOngoingConversation } from './conversation-access.ts';
import { type FinderServices, getQrCodePagePath } from './finder-services.ts';
import { sendUnclaimedTagPage } from './unclaimed-tag-page.ts';

export async function sendFinderErrorPage(
  services: Pick<FinderServices, 'database' | 'fieldCipher' | 'publicBaseUrl' | 'ownerPagesUrl'>,
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
  if (codeId !== null && problem.code === 'CODE_UNCLAIMED') {
    const tag = await openUnclaimedTag(services, codeId, request.method === 'GET');
    if (tag) return sendUnclaimedTagPage(services, reply, tag, locale);
  }
  const { title, text } = toErrorTexts(problem, request, locale);
  const sent = isRetryableError(problem) ? await readSentForm(request) : null;
  // Links of the page switch the language of the code's own page.
  const address = codeId && getQrCodePagePath(services, codeId);
  return sendLocalizedHtmlPage(reply, {
    status: problem.statusCode,
    locale,
    // A link to the same page would lose what was written.
    address: sent ? null : address,
    title,
    body: html`<div${FORM_RESULT_HTML_ATTRIBUTES}><h1>${title}</h1>\n<p>${text}</p></div>${sent && renderSentForm(`${getBasePath(services.publicBaseUrl)}${request.url}`, sent, locale)}`,
  });
}

/** The longest message, percent-encoded at up to 12 bytes a character, and the other fields. */
export const MAX_FORM_BYTES = 16_384;
const MAX_FORM_FIELDS = 20;

/** A form with one of these is not sent back. */
const SECRET_FIELDS = ['pin', 'passcode'];

/** Read what somebody wrote into a form of ours; null for one with a secret. */
async function readSentForm(request: FastifyRequest): Promise<[name: string, value: string][] | null> {
  if (request.method !== 'POST' || !isFormOfOwnPage(request)) return null;
  const body = request.body ?? (await readRefusedForm(request, MAX_FORM_BYTES, MAX_FORM_FIELDS));
  const fields = Object.entries(Object(body)).filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  );
  return fields.length === 0 || fields.some(([name]) => SECRET_FIELDS.includes(name)) ? null : fields;
}

/** Render what was sent, with a button that sends it again. */
function renderSentForm(action: string, fields: readonly [string, string][], locale: Locale): Html {
  const [, written] = fields.find(([name]) => name === 'message' || name === 'note') ?? [];
  return html`
<form method="post" action="${action}">${written && html`<p>${t(locale, 'app.draft.text')}</p>\n<blockquote class="text" dir="auto">${written}</blockquote>\n`}${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button>${t(locale, 'app.draft.button')}</button></form>`;
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
