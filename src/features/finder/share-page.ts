import type { FastifyReply } from 'fastify';
import type { ServiceError } from '../../shared/errors.ts';
import { html } from '../../shared/html.ts';
import { newId } from '../../shared/ids.ts';
import { type Language, say, sayCount, sayWait } from '../../shared/languages/language.ts';
import type { SharedDocument } from '../document-shares/share.repository.ts';
import { viewsLeft } from '../document-shares/share.rules.ts';
import { DOCUMENT_TYPES } from '../documents/document-types.rules.ts';
import type { FinderServices } from './finder-services.ts';
import { shareFormToken } from './form-token.ts';
import { ANSWER, sendMessage, sendPage } from './page-frame.ts';
import { sharePath } from './share-cookie.ts';

/** A wait as short as this is said as a moment. */
const BUSY_SECONDS = 5;

/** How the page answers a form that it does not follow. */
export interface ShareComplaint {
  status: number;
  complaint: string;
}

/** Sends the page of a share that can be opened: what it is, and the form that opens it. Its title is for those with the passcode alone. */
export function sendSharePage(
  services: FinderServices,
  reply: FastifyReply,
  share: SharedDocument,
  language: Language,
  wrong: ShareComplaint | null = null,
): FastifyReply {
  const { shares, finder, tag } = language;
  const address = sharePath(services, share.id);
  const isProtected = share.passcodeHash !== null;
  const left = viewsLeft(share);
  const title = isProtected ? finder.documentTitle : shares.title;
  const described = wrong ? html` aria-invalid="true" aria-describedby="answer"` : null;
  const field = html`<label for="passcode">${shares.passcode}</label>
<input id="passcode" name="passcode" type="password" maxlength="64" autocomplete="off" required${described}>
`;
  return sendPage(reply, {
    ...{ status: wrong?.status ?? 200, language, address, isOfDocument: true },
    // Whoever looks over a shoulder, or a browser's history, reads no title.
    title,
    body: html`<h1>${title}</h1>
${!isProtected && html`<p class="name">${share.title}</p>\n`}<p class="kind">${fileWords(share, language)}</p>
<p>${shares.text}</p>
${left !== null && html`<p>${sayCount(language, shares.views, left)}</p>\n`}${share.expiresAt && html`<p>${say(shares.until, { time: timeOf(share.expiresAt, language) })}</p>\n`}<form method="post" action="${address}/open?lang=${tag}#answer">
${wrong && html`<p class="wrong"${ANSWER} role="alert">${wrong.complaint}</p>\n`}${isProtected && html`<p>${shares.passcodeText}</p>\n`}<input type="hidden" name="visit" value="${shareFormToken(services.vault, share.id, newId())}">
${isProtected && field}<button>${finder.documentButton}</button></form>`,
  });
}

/** Sends the page of a document that was opened and is saved: the browser fetches it at once, and again by a button. */
export function sendSavedPage(reply: FastifyReply, content: string, language: Language): FastifyReply {
  const { shares, finder } = language;
  return sendPage(reply.header('Refresh', `0; url=${content}`), {
    ...{ status: 200, language, address: null, isOfDocument: true, title: shares.openedTitle },
    body: html`<div${ANSWER}><h1>${shares.openedTitle}</h1>\n<p>${shares.openedText}</p></div>
<p><a class="act" href="${content}">${finder.documentButton}</a></p>`,
  });
}

/** Sends the page of a share that opens nothing: ended or unknown, expired, used up. */
export function sendClosedShare(reply: FastifyReply, error: ServiceError, language: Language): FastifyReply {
  const { shares, finder } = language;
  const [title, text] =
    error.code === 'SHARE_EXPIRED'
      ? [shares.expiredTitle, shares.expiredText]
      : error.code === 'SHARE_USED_UP'
        ? [shares.usedTitle, shares.usedText]
        : [finder.unknownTitle, shares.goneText];
  return sendMessage(reply, {
    status: error.statusCode,
    language,
    address: null,
    isOfDocument: true,
    title,
    text,
  });
}

/** Sends the page for a link whose token only the browser has: a script sends it on, or the visitor pastes the link. */
export function sendPastePage(
  reply: FastifyReply,
  path: string,
  language: Language,
  complaint: string | null = null,
): FastifyReply {
  const { shares, tag } = language;
  const described = complaint ? html` aria-invalid="true" aria-describedby="answer"` : null;
  return sendPage(reply, {
    ...{
      status: complaint ? 404 : 200,
      language,
      address: path,
      isOfDocument: true,
      title: shares.pasteTitle,
    },
    body: html`<h1>${shares.pasteTitle}</h1>
<form method="post" action="${path}?lang=${tag}#answer" id="paste">
${complaint && html`<p class="wrong"${ANSWER} role="alert">${complaint}</p>\n`}<p>${shares.pasteText}</p>
<label for="link">${shares.pasteLabel}</label>
<input id="link" name="link" dir="ltr" maxlength="500" autocomplete="off" required${described}>
<button>${shares.pasteButton}</button></form><script src="${path}/token.js" defer></script>`,
  });
}

/** What to say of a passcode that was refused, or of a file that nobody reads yet; null for any other error. */
export function openingComplaint(error: ServiceError, language: Language): string | null {
  const { finder, shares } = language;
  const { retryAfterSeconds: seconds = 60 } = error;
  const wait = sayWait(language, seconds);
  if (error.code === 'FILE_NOT_CHECKED') return finder.failedText;
  if (error.code === 'PASSCODE_REQUIRED') return shares.passcodeText;
  if (error.code === 'PASSCODE_INCORRECT') {
    const left = Number(error.members.attemptsLeft);
    const tries = left > 0 ? sayCount(language, finder.pinTries, left) : `${finder.pinNoTries} ${wait}`;
    return `${shares.passcodeWrong} ${tries}`;
  }
  if (error.code !== 'RATE_LIMITED') return null;
  // Tries that are only being compared may come back at once.
  return seconds <= BUSY_SECONDS ? shares.passcodeBusy : `${finder.pinTooMany} ${wait}`;
}

/** What kind of file it is and how large, as the language writes sizes. */
export function fileWords(
  { contentType, size }: Pick<SharedDocument, 'contentType' | 'size'>,
  { tag }: Language,
): string {
  const [unit, divisor] = (
    [
      ['gigabyte', 1e9],
      ['megabyte', 1e6],
      ['kilobyte', 1e3],
    ] as const
  ).find(([, bytes]) => size >= bytes) ?? ['byte', 1];
  const endings = Object.entries(DOCUMENT_TYPES).find(([type]) => type === contentType)?.[1] ?? [];
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  const amount = new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 });
  return `${endings[0]?.toUpperCase() ?? contentType} · ${amount.format(size / divisor)}`;
}

function timeOf(at: Date, { tag }: Language): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(tag, format).format(at)} UTC`;
}
