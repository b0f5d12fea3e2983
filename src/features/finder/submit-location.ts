import type { FastifyReply } from 'fastify';
import { FORM_RESULT_HTML_ATTRIBUTES, sendLocalizedHtmlPage } from '../../platform/pages/page-frame.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { normalizeMessageText } from '../conversations/index.ts';
import { addScanLocation, findScan, type ScanWithQrCode } from '../scans/index.ts';
import { isClosedQrCodeError } from './closed-page.ts';
import type { Coordinates } from './contact-links.rules.ts';
import { startConversationFromPage } from './conversation-access.ts';
import { setRetryAfterAndRenderMessage } from './error-pages.ts';
import type { FinderServices } from './finder-services.ts';
import type { FormTokenVisit } from './form-token.ts';
import { findContactDataWarning, findMessageError } from './message-fields.ts';
import { hasTextBesidesCoordinates, isOnlyNumbers, parseCoordinates } from './position-text.rules.ts';
import { renderConversationLink } from './sections/contact.ts';
import { sendRejectedFormPage } from './send-rejected-form.ts';
import { sendVisitPage } from './send-visit.ts';
import {
  type PositionFields,
  parseAccuracy,
  parsePosition,
  renderPositionError,
  renderSharedPosition,
  translatePositionError,
} from './shared-position.ts';
import { getExistingVisit } from './visit.ts';

const MESSAGE_REJECTIONS: readonly string[] = ['RATE_LIMITED', 'NOT_CONTACTABLE', 'CONVERSATION_ENDED'];

export interface LocationFormFields extends PositionFields {
  place?: string;
  confirmed?: string;
}

/** A position extends the trail of the scan; a text becomes a message. Rejects with 400, 403, 409 or 429. */
export async function submitFinderLocation(
  services: FinderServices,
  context: RequestContext,
  reply: FastifyReply,
  { codeId, visit }: { codeId: string; visit: FormTokenVisit },
  fields: LocationFormFields,
  locale: Locale,
): Promise<FastifyReply> {
  const place = normalizeMessageText(fields.place ?? '');
  const devicePosition = parsePosition(fields);
  const position = devicePosition ?? parseCoordinates(place);
  if (!position && place === '') return rejectForm(400, t(locale, 'finder.shareEmpty'));
  const error = place === '' ? null : findMessageError({ message: place, preset: null }, locale);
  if (error) return rejectForm(400, error);
  const hasWords = !position || hasTextBesidesCoordinates(place);
  // A text that gives the position says nothing else, unless it has words.
  const isPositionText = position !== null && devicePosition === null && !hasWords;
  const hasText = place !== '' && !(isPositionText && isOnlyNumbers(place));
  const warning =
    hasWords && fields.confirmed !== 'yes'
      ? findContactDataWarning({ message: place, name: '' }, locale)
      : null;
  if (warning) return rejectForm(200, warning, true);
  let link: string | null = null;
  let positionError: string | null = null;
  try {
    const scan = await findScan(services.database.client, visit.id);
    if (!scan || scan.qrCode.id !== codeId || scan.qrCode.status === 'DELETED')
      throw new ServiceError('NOT_FOUND');
    // The text first: if it is rejected, the position must not be stored either.
    if (hasText) {
      const content = { preset: 'AM_AT', text: place } as const;
      const firstMessage = { content, name: null, email: null };
      const origin = { ...scan, isScan: true } as const;
      try {
        link = await startConversationFromPage(services, context, reply, origin, firstMessage);
      } catch (error) {
        // The owner gets the position even where a message is not accepted.
        if (!isPositionText || !isMessageRejection(error)) throw error;
      }
    }
    if (position) positionError = await storePosition(scan, position, link !== null);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, statusCode, retryAfterSeconds } = error;
    if (code === 'LOCATION_TRAIL_CLOSED') return rejectForm(statusCode, t(locale, 'finder.shareTooMany'));
    if (code === 'CONVERSATION_ENDED') return rejectForm(statusCode, t(locale, 'conversation.ended'));
    if (code === 'NOT_CONTACTABLE') return rejectForm(statusCode, t(locale, 'conversation.notAccepted'));
    if (code === 'CONFLICT') return rejectForm(statusCode, t(locale, 'conversation.notSent'));
    if (code !== 'RATE_LIMITED') throw error;
    return rejectForm(
      429,
      await setRetryAfterAndRenderMessage(services, reply, codeId, retryAfterSeconds, locale),
    );
  }
  const sent = html`${link !== null && html`\n<blockquote class="text">${place}</blockquote>`}${position && (positionError === null ? renderSharedPosition(position, parseAccuracy(fields), locale) : renderPositionError(positionError))}`;
  const text = positionError === null ? t(locale, 'finder.shareDone') : t(locale, 'conversation.sentTitle');
  const conversationLink = link === null ? null : renderConversationLink(link, false, locale);
  try {
    const pageVisit = await getExistingVisit(services, context, codeId, visit);
    const confirmation = {
      text,
      sent,
      link: conversationLink,
      topic: conversationLink === null ? 'position' : 'conversation',
    } as const;
    return await sendVisitPage(services, reply, pageVisit, locale, {
      status: 200,
      errorMessage: null,
      confirmation,
    });
  } catch (error) {
    if (!isClosedQrCodeError(error)) throw error;
    return sendLocalizedHtmlPage(reply, {
      status: 200,
      locale,
      address: null,
      title: t(locale, 'finder.shareTitle'),
      body: html`<div${FORM_RESULT_HTML_ATTRIBUTES}><h1>${t(locale, 'finder.shareTitle')}</h1>\n<p>${text}</p>${sent}${conversationLink}</div>`,
    });
  }

  /** After its text was sent, a position that cannot be stored rejects nothing: the error is said instead. */
  async function storePosition(
    scan: ScanWithQrCode,
    position: Coordinates,
    isTextSent: boolean,
  ): Promise<string | null> {
    try {
      await addScanLocation(services, context, scan, { ...position, accuracy: parseAccuracy(fields) });
      return null;
    } catch (error) {
      if (!isTextSent) throw error;
      return translatePositionError(reply.request, error, locale).text;
    }
  }

  async function rejectForm(
    status: number,
    errorMessage: string | Html,
    needsConfirmation = false,
  ): Promise<FastifyReply> {
    const form = { codeId, visit, getVisit: () => getExistingVisit(services, context, codeId, visit) };
    return sendRejectedFormPage(services, reply, form, locale, {
      status,
      locationForm: { errorMessage, place, needsConfirmation },
    });
  }
}

function isMessageRejection(error: unknown): boolean {
  return error instanceof ServiceError && MESSAGE_REJECTIONS.includes(error.code);
}
