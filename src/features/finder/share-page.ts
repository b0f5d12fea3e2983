import type { FastifyReply } from 'fastify';
import {
  FORM_RESULT_HTML_ATTRIBUTES,
  sendLocalizedHtmlPage,
  sendLocalizedMessagePage,
} from '../../platform/pages/page-frame.ts';
import type { ServiceError } from '../../shared/errors.ts';
import { html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { translateWaitingTime } from '../../shared/i18n/wait.ts';
import { generateId } from '../../shared/ids.ts';
import {
  FILE_EXTENSIONS_BY_CONTENT_TYPE,
  getShareViewsLeft,
  type SharedDocument,
} from '../documents/index.ts';
import { getDocumentSharePath } from './cookies.ts';
import type { FinderServices } from './finder-services.ts';
import { createShareFormToken } from './form-token.ts';

/** Shorter waits are shown without a time. */
const MAX_BUSY_SECONDS = 5;

export interface ShareFormError {
  status: number;
  errorMessage: string;
}

/** A share with a passcode does not show its title. */
export function sendDocumentSharePage(
  services: FinderServices,
  reply: FastifyReply,
  share: SharedDocument,
  locale: Locale,
  formError: ShareFormError | null = null,
): FastifyReply {
  const { tag } = locale;
  const address = getDocumentSharePath(services, share.id);
  const isProtected = share.passcodeHash !== null;
  const viewsLeft = getShareViewsLeft(share);
  const title = isProtected ? t(locale, 'finder.documentTitle') : t(locale, 'sharePage.title');
  const described = formError ? html` aria-invalid="true" aria-describedby="answer"` : null;
  const passcodeField = html`<label for="passcode">${t(locale, 'sharePage.passcode')}</label>
<input id="passcode" name="passcode" type="password" maxlength="64" autocomplete="off" required${described}>
`;
  return sendLocalizedHtmlPage(reply, {
    status: formError?.status ?? 200,
    locale,
    address,
    isDocumentPage: true,
    // The tab and the browser history do not show the document title.
    title,
    body: html`<h1>${title}</h1>
${!isProtected && html`<p class="name">${share.title}</p>\n`}<p class="kind">${formatFileTypeAndSize(share, locale)}</p>
<p>${t(locale, 'sharePage.text')}</p>
${viewsLeft !== null && html`<p>${t(locale, 'sharePage.viewsLeft', { count: viewsLeft })}</p>\n`}${share.expiresAt && html`<p>${t(locale, 'sharePage.expiresAt', { time: formatTime(share.expiresAt, locale) })}</p>\n`}<form method="post" action="${address}/open?lang=${tag}#answer">
${formError && html`<p class="wrong"${FORM_RESULT_HTML_ATTRIBUTES} role="alert">${formError.errorMessage}</p>\n`}${isProtected && html`<p>${t(locale, 'sharePage.passcodeText')}</p>\n`}<input type="hidden" name="visit" value="${createShareFormToken(services.fieldCipher, share.id, generateId())}">
${isProtected && passcodeField}<button>${t(locale, 'finder.documentButton')}</button></form>`,
  });
}

export function sendDocumentDownloadPage(reply: FastifyReply, content: string, locale: Locale): FastifyReply {
  return sendLocalizedHtmlPage(reply.header('Refresh', `0; url=${content}`), {
    status: 200,
    locale,
    address: null,
    isDocumentPage: true,
    title: t(locale, 'sharePage.openedTitle'),
    body: html`<div${FORM_RESULT_HTML_ATTRIBUTES}><h1>${t(locale, 'sharePage.openedTitle')}</h1>\n<p>${t(locale, 'sharePage.openedText')}</p></div>
<p><a class="act" href="${content}">${t(locale, 'finder.documentButton')}</a></p>`,
  });
}

export function sendUnavailableSharePage(
  reply: FastifyReply,
  error: ServiceError,
  locale: Locale,
): FastifyReply {
  const [title, text] =
    error.code === 'SHARE_EXPIRED'
      ? [t(locale, 'sharePage.expiredTitle'), t(locale, 'sharePage.expiredText')]
      : error.code === 'SHARE_USED_UP'
        ? [t(locale, 'sharePage.usedTitle'), t(locale, 'sharePage.usedText')]
        : [t(locale, 'finder.unknownTitle'), t(locale, 'sharePage.notFoundText')];
  return sendLocalizedMessagePage(reply, {
    status: error.statusCode,
    locale,
    address: null,
    isDocumentPage: true,
    title,
    text,
  });
}

/**
 * For link previews, which everybody in a chat sees. A person whose browser looks like a bot can continue with the
 * button.
 */
export function sendSharePreviewPage(
  reply: FastifyReply,
  path: string,
  token: string,
  locale: Locale,
): FastifyReply {
  const title = t(locale, 'sharePage.title');
  return sendLocalizedHtmlPage(reply, {
    status: 200,
    locale,
    address: null,
    isDocumentPage: true,
    title,
    body: html`<h1>${title}</h1>
<p>${t(locale, 'sharePage.text')}</p>
<form method="post" action="${path}?lang=${locale.tag}"><input type="hidden" name="link" value="${token}">
<button>${t(locale, 'sharePage.pasteButton')}</button></form>`,
  });
}

/** The token is in the fragment: a script submits it, or the user pastes the link. */
export function sendPasteShareLinkPage(
  reply: FastifyReply,
  path: string,
  locale: Locale,
  errorMessage: string | null = null,
): FastifyReply {
  const { tag } = locale;
  const described = errorMessage ? html` aria-invalid="true" aria-describedby="answer"` : null;
  return sendLocalizedHtmlPage(reply, {
    status: errorMessage ? 404 : 200,
    locale,
    address: path,
    isDocumentPage: true,
    title: t(locale, 'sharePage.pasteTitle'),
    body: html`<h1>${t(locale, 'sharePage.pasteTitle')}</h1>
<form method="post" action="${path}?lang=${tag}#answer" id="paste">
${errorMessage && html`<p class="wrong"${FORM_RESULT_HTML_ATTRIBUTES} role="alert">${errorMessage}</p>\n`}<p>${t(locale, 'sharePage.pasteText')}</p>
<label for="link">${t(locale, 'sharePage.pasteLabel')}</label>
<input id="link" name="link" dir="ltr" maxlength="500" autocomplete="off" required${described}>
<button>${t(locale, 'sharePage.pasteButton')}</button></form><script src="${path}/token.js" defer></script>`,
  });
}

/** Null for errors other than a rejected passcode or an unchecked file. */
export function findShareErrorMessage(error: ServiceError, locale: Locale): string | null {
  const { retryAfterSeconds: seconds = 60 } = error;
  const wait = translateWaitingTime(locale, seconds);
  if (error.code === 'FILE_CHECK_PENDING') return t(locale, 'sharePage.fileCheckPending');
  if (error.code === 'PASSCODE_REQUIRED') return t(locale, 'sharePage.passcodeText');
  if (error.code === 'PASSCODE_INCORRECT') {
    const attemptsLeft = Number(error.members.attemptsLeft);
    const attemptsText =
      attemptsLeft > 0
        ? t(locale, 'finder.pinAttemptsLeft', { count: attemptsLeft })
        : `${t(locale, 'finder.pinNoAttemptsLeft')} ${wait}`;
    return `${t(locale, 'sharePage.passcodeWrong')} ${attemptsText}`;
  }
  if (error.code !== 'RATE_LIMITED') return null;
  // A short wait means that attempts are still being compared.
  return seconds <= MAX_BUSY_SECONDS
    ? t(locale, 'sharePage.passcodeBusy')
    : `${t(locale, 'finder.pinTooManyAttempts')} ${wait}`;
}

export function formatFileTypeAndSize(
  { contentType, size }: Pick<SharedDocument, 'contentType' | 'size'>,
  { tag }: Locale,
): string {
  const [unit, divisor] = (
    [
      ['gigabyte', 1e9],
      ['megabyte', 1e6],
      ['kilobyte', 1e3],
    ] as const
  ).find(([, bytes]) => size >= bytes) ?? ['byte', 1];
  const endings =
    Object.entries(FILE_EXTENSIONS_BY_CONTENT_TYPE).find(([type]) => type === contentType)?.[1] ?? [];
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  const amount = new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 });
  return `${endings[0]?.toUpperCase() ?? contentType} · ${amount.format(size / divisor)}`;
}

function formatTime(at: Date, { tag }: Locale): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(tag, format).format(at)} UTC`;
}
