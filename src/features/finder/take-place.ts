import type { FastifyReply } from 'fastify';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { normalizeMessageText } from '../conversations/message-text.rules.ts';
import { findScan } from '../scans/scan.repository.ts';
import { addLocation } from '../scans/scan-location.ts';
import { beginConversation } from './begin-conversation.ts';
import { isClosed } from './closed-page.ts';
import type { FinderServices } from './finder-services.ts';
import type { FormVisit } from './form-token.ts';
import { type Coordinates, placeIn, saysMore } from './map-link.rules.ts';
import { ANSWER, sendPage } from './page-frame.ts';
import { showVisit } from './record-visit.ts';
import { wayTo } from './sections/way-to.ts';
import { sendUnsent } from './send-unsent.ts';
import { sendVisitPage } from './send-visit.ts';
import { tooManyMessages } from './too-many-messages.ts';
import { faultOf, questionOf } from './typed-message.ts';

/** The fields of the form, as they come. */
export interface PlaceFields {
  place?: string;
  latitude?: string;
  longitude?: string;
  accuracy?: string;
  confirmed?: string;
}

/** Half the way around the Earth in metres. */
const WORST_ACCURACY = 20_040_000;

/**
 * Takes where a finder is from the form of a visit: a position is added to the trail of the scan, a place in words is a
 * message to the owner, also beside a position. Answers the page with thanks, which is no other visit; or with what was typed
 * and what is wrong or asked (400, 403, 409, 429).
 */
export async function takePlace(
  services: FinderServices,
  context: RequestContext,
  reply: FastifyReply,
  { codeId, visit }: { codeId: string; visit: FormVisit },
  fields: PlaceFields,
  locale: Locale,
): Promise<FastifyReply> {
  const place = normalizeMessageText(fields.place ?? '');
  const position = positionOf(fields) ?? placeIn(place);
  if (!position && place === '') return again(400, t(locale, 'finder.shareEmpty'));
  const wrong = place === '' ? null : faultOf({ message: place, preset: null }, locale);
  if (wrong) return again(400, wrong);
  const hasWords = !position || saysMore(place);
  const asked =
    hasWords && fields.confirmed !== 'yes' ? questionOf({ message: place, name: '' }, locale) : null;
  if (asked) return again(200, asked, true);
  let link: string | null = null;
  try {
    const scan = await findScan(services.database.client, visit.id);
    if (!scan || scan.qrCode.id !== codeId || scan.qrCode.status === 'DELETED')
      throw new ServiceError('NOT_FOUND');
    // Words first: while they are refused nothing is sent, as the page says.
    if (hasWords) {
      const content = { preset: 'AM_AT', text: place } as const;
      const said = { content, name: null, email: null };
      link = await beginConversation(services, context, reply, { ...scan, isScan: true }, said);
    }
    if (position) await addLocation(services, context, scan, { ...position, accuracy: accuracyOf(fields) });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, statusCode, retryAfterSeconds } = error;
    if (code === 'TRAIL_CLOSED') return again(statusCode, t(locale, 'finder.shareTooMany'));
    if (code === 'CONVERSATION_ENDED') return again(statusCode, t(locale, 'conversation.ended'));
    if (code === 'NOT_CONTACTABLE') return again(statusCode, t(locale, 'conversation.notAccepted'));
    if (code === 'CONFLICT') return again(statusCode, t(locale, 'conversation.notSent'));
    if (code !== 'RATE_LIMITED') throw error;
    return again(429, await tooManyMessages(services, reply, codeId, retryAfterSeconds, locale));
  }
  const way = link === null ? null : wayTo(link, false, locale);
  try {
    const shown = await showVisit(services, context, codeId, visit);
    const done = { text: t(locale, 'finder.shareDone'), way, isOfConversation: way !== null };
    return await sendVisitPage(services, reply, shown, locale, { status: 200, complaint: null, done });
  } catch (error) {
    if (!isClosed(error)) throw error;
    return sendPage(reply, {
      ...{ status: 200, locale, address: null, title: t(locale, 'finder.shareTitle') },
      body: html`<div${ANSWER}><h1>${t(locale, 'finder.shareTitle')}</h1>\n<p>${t(locale, 'finder.shareDone')}</p>${way}</div>`,
    });
  }

  async function again(
    status: number,
    complaint: string | Html,
    asksToConfirm = false,
  ): Promise<FastifyReply> {
    const same = { codeId, visit, show: () => showVisit(services, context, codeId, visit) };
    return sendUnsent(services, reply, same, locale, {
      status,
      share: { complaint, place, asksToConfirm },
    });
  }
}

/** The position that a phone filled in; null where it did not, or it is none. */
function positionOf(fields: PlaceFields): Coordinates | null {
  if (!fields.latitude || !fields.longitude) return null;
  const [latitude, longitude] = [Number(fields.latitude), Number(fields.longitude)];
  // Not a number is neither.
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}

function accuracyOf({ accuracy = '' }: PlaceFields): number | null {
  const metres = Number(accuracy);
  return accuracy !== '' && metres >= 0 && metres <= WORST_ACCURACY ? metres : null;
}
