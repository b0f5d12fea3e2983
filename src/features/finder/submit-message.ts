import type { FastifyReply } from 'fastify';
import type { Db } from '../../platform/database.ts';
import { FORM_RESULT_HTML_ATTRIBUTES, sendLocalizedHtmlPage } from '../../platform/pages/page-frame.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { normalizeEmail } from '../../shared/email.ts';
import { ServiceError } from '../../shared/errors.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { findPublicQrCode, getCurrentQrCodeStatus } from '../codes/index.ts';
import { type ConversationOrigin, parseMessageContent } from '../conversations/index.ts';
import {
  addScanLocation,
  assertQrCodeNotWithheld,
  findScan,
  isQrCodeOpen,
  type ScanWithQrCode,
} from '../scans/index.ts';
import type { Coordinates } from './contact-links.rules.ts';
import { startConversationFromPage } from './conversation-access.ts';
import { setRetryAfterAndRenderMessage } from './error-pages.ts';
import { type FinderServices, getQrCodePagePath } from './finder-services.ts';
import type { FormTokenVisit } from './form-token.ts';
import { listQrCodePageParts } from './layout.rules.ts';
import {
  findMessageError,
  findMessageFormRejection,
  isNonBlankName,
  type MessageFormFields,
  parseMessageFormFields,
} from './message-fields.ts';
import { ONLY_COORDINATES_PATTERN, parseCoordinates } from './position-text.rules.ts';
import { renderConversationLink } from './sections/contact.ts';
import { renderLocationForm } from './sections/forms.ts';
import { sendRejectedFormPage } from './send-rejected-form.ts';
import { createLocationForm } from './send-visit.ts';
import {
  type PositionFields,
  parseAccuracy,
  parsePosition,
  renderPositionError,
  renderSharedPosition,
  translatePositionError,
} from './shared-position.ts';
import { getExistingVisit } from './visit.ts';

/** Store a message idempotently and send its link, or the rejected form (400, 403, 409, 429). */
export async function submitFirstMessage(
  services: FinderServices,
  context: RequestContext,
  reply: FastifyReply,
  { codeId, visit }: { codeId: string; visit: FormTokenVisit },
  fields: MessageFormFields & PositionFields,
  locale: Locale,
): Promise<FastifyReply> {
  const { database } = services;
  const draft = parseMessageFormFields(fields);
  const email = draft.email === '' ? null : normalizeEmail(draft.email);
  const error =
    draft.email !== '' && email === null
      ? t(locale, 'conversation.emailInvalid')
      : findMessageError(draft, locale);
  const rejection = findMessageFormRejection(fields, { draft, error, ageSeconds: visit.ageSeconds }, locale);
  if (rejection) return rejectForm(rejection.status, rejection.errorMessage, rejection);
  try {
    const content = parseMessageContent(draft);
    const { origin, scan, canShareLocation } = await getOrigin(database.client, codeId, visit);
    const name = isNonBlankName(draft.name) ? draft.name : null;
    const firstMessage = { content, name, email };
    const link = await startConversationFromPage(services, context, reply, origin, firstMessage);
    const position = canShareLocation ? (parsePosition(fields) ?? parseLinkedPosition(draft.message)) : null;
    // A location that was shared is not asked for again.
    if (!scan || !position)
      return sendConfirmation(link, { canShareLocation: canShareLocation && scan?.position === null });
    return sendConfirmation(link, await shareLocation(scan, position));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, statusCode, retryAfterSeconds } = error;
    if (code === 'RATE_LIMITED')
      return rejectForm(
        429,
        await setRetryAfterAndRenderMessage(services, reply, codeId, retryAfterSeconds, locale),
      );
    // The preset is not offered for this code.
    if (code === 'VALIDATION_FAILED') return rejectForm(statusCode, t(locale, 'conversation.messageMissing'));
    if (code === 'CONVERSATION_ENDED') return rejectForm(statusCode, t(locale, 'conversation.ended'));
    if (code === 'NOT_CONTACTABLE') return rejectForm(statusCode, t(locale, 'conversation.notAccepted'));
    if (code === 'CONFLICT') return rejectForm(statusCode, t(locale, 'conversation.notSent'));
    throw error;
  }

  /** The message is stored: a position that cannot be stored does not reject it. */
  async function shareLocation(scan: ScanWithQrCode, position: Coordinates): Promise<SharedLocation> {
    const accuracy = parseAccuracy(fields);
    try {
      await addScanLocation(services, context, scan, { ...position, accuracy });
      const sent = renderSharedPosition(position, accuracy, locale);
      return { canShareLocation: false, sent: html`\n<p>${t(locale, 'finder.shareDone')}</p>${sent}` };
    } catch (error) {
      const { text, canRetry } = translatePositionError(reply.request, error, locale);
      return { canShareLocation: canRetry, sent: renderPositionError(text) };
    }
  }

  function sendConfirmation(link: string, { canShareLocation, sent = null }: SharedLocation): FastifyReply {
    const form = createLocationForm(services, codeId, visit.token, locale);
    const locationForm =
      canShareLocation &&
      renderLocationForm(form, locale, { isFolded: false, text: t(locale, 'finder.shareOffer') });
    const pageLink = `${getQrCodePagePath(services, codeId)}?lang=${locale.tag}`;
    return sendLocalizedHtmlPage(reply, {
      status: 200,
      locale,
      address: null,
      title: t(locale, 'conversation.sentTitle'),
      body: html`<div${FORM_RESULT_HTML_ATTRIBUTES}><h1>${t(locale, 'conversation.sentTitle')}</h1>${sent}${renderConversationLink(link, email !== null, locale)}</div>
${locationForm}
<p><a class="act plain" href="${pageLink}">${t(locale, 'memorial.backToPage')}</a></p>`,
    });
  }

  async function rejectForm(
    status: number,
    errorMessage: string | Html,
    { needsConfirmation = false, showsHoneypot = false } = {},
  ): Promise<FastifyReply> {
    const form = { codeId, visit, getVisit: () => getExistingVisit(services, context, codeId, visit) };
    const messageForm = {
      errorMessage,
      draft,
      needsConfirmation,
      showsHoneypot,
    };
    return sendRejectedFormPage(services, reply, form, locale, { status, messageForm });
  }
}

/** Only of a message that is nothing but a position: among words, a link can show anything. */
function parseLinkedPosition(message: string): Coordinates | null {
  return ONLY_COORDINATES_PATTERN.test(message) ? parseCoordinates(message) : null;
}

interface SharedLocation {
  canShareLocation: boolean;
  /** The position that was sent, or the reason why it was not. */
  sent?: Html | null;
}

/** @throws NOT_FOUND for a deleted code */
async function getOrigin(
  db: Db,
  codeId: string,
  visit: FormTokenVisit,
): Promise<{ origin: ConversationOrigin; scan: ScanWithQrCode | null; canShareLocation: boolean }> {
  const scan = visit.isScan ? await findScan(db, visit.id) : null;
  const qrCode = visit.isScan ? scan?.qrCode : await findPublicQrCode(db, codeId);
  if (!qrCode || qrCode.id !== codeId || qrCode.status === 'DELETED') throw new ServiceError('NOT_FOUND');
  assertQrCodeNotWithheld(qrCode);
  const parts = listQrCodePageParts(qrCode.kind, getCurrentQrCodeStatus(qrCode) === 'LOST');
  return {
    origin: { ...visit, qrCode },
    scan,
    canShareLocation: isQrCodeOpen(qrCode) && parts.includes('locationForm'),
  };
}
