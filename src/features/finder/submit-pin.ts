import type { FastifyReply } from 'fastify';
import type { RequestContext } from '../../platform/request-context.ts';
import { toAsciiDigits } from '../../shared/ascii-digits.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { translateWaitingTime } from '../../shared/i18n/wait.ts';
import { findScan, getOpenQrCode, isExemptFromPin, unlockScan } from '../scans/index.ts';
import type { FinderServices } from './finder-services.ts';
import { findPhoneUserId } from './owner-phone-cookie.ts';
import { type PageFormResult, sendVisitPage } from './send-visit.ts';
import { getVisitWithoutScan } from './visit.ts';

const PIN_PATTERN = /^[0-9]{4,12}$/;

/** Shorter waits are shown without a time. */
const MAX_BUSY_SECONDS = 5;

/**
 * A wrong PIN never shows the unlocked content, even in a visit that was unlocked before.
 * @throws NOT_FOUND for an unknown scan
 */
export async function submitPin(
  services: FinderServices,
  context: RequestContext,
  reply: FastifyReply,
  visit: { codeId: string; scanId: string; pin: string },
  locale: Locale,
): Promise<FastifyReply> {
  const { codeId, scanId } = visit;
  const pin = toAsciiDigits(visit.pin).replace(/\s/g, '');
  const scan = await findScan(services.database.client, scanId);
  if (scan?.qrCode.id !== codeId) throw new ServiceError('NOT_FOUND');
  try {
    if (!PIN_PATTERN.test(pin))
      return await sendPinError({ status: 400, errorMessage: t(locale, 'finder.pinInvalid') });
    const { client } = services.database;
    const found = await getOpenQrCode(client, codeId);
    const phoneUserId = await findPhoneUserId(services, reply.request.headers.cookie);
    const { code, content: publicContent } = await unlockScan(
      services,
      context,
      scanId,
      found,
      pin,
      phoneUserId !== null && (await isExemptFromPin(services, found.accountId, phoneUserId)),
    );
    return await sendVisitPage(services, reply, { code, scanId, ...publicContent }, locale, {
      status: 200,
      errorMessage: null,
    });
  } catch (error) {
    const response = toPinFormResponse(error, locale);
    if (!response) throw error;
    if (error instanceof ServiceError && error.retryAfterSeconds) {
      reply.header('Retry-After', error.retryAfterSeconds);
    }
    return sendPinError(response);
  }

  async function sendPinError(response: PageFormResult): Promise<FastifyReply> {
    const visit = await getVisitWithoutScan(services, context, codeId);
    return sendVisitPage(services, reply, { ...visit, scanId }, locale, response);
  }
}

/** Null for errors other than a rejected PIN. */
function toPinFormResponse(error: unknown, locale: Locale): PageFormResult | null {
  if (!(error instanceof ServiceError)) return null;
  const { retryAfterSeconds: seconds = 60 } = error;
  const wait = translateWaitingTime(locale, seconds);
  if (error.code === 'PIN_INCORRECT') {
    const attemptsLeft = Number(error.members.attemptsLeft);
    const attemptsText =
      attemptsLeft > 0
        ? t(locale, 'finder.pinAttemptsLeft', { count: attemptsLeft })
        : `${t(locale, 'finder.pinNoAttemptsLeft')} ${wait}`;
    return { status: 403, errorMessage: `${t(locale, 'finder.pinWrong')} ${attemptsText}` };
  }
  if (error.code !== 'RATE_LIMITED') return null;
  // A short wait means that attempts are still being compared.
  const errorMessage =
    seconds <= MAX_BUSY_SECONDS
      ? t(locale, 'finder.pinBusy')
      : `${t(locale, 'finder.pinTooManyAttempts')} ${wait}`;
  return { status: 429, errorMessage };
}
