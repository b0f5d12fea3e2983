import type { FastifyReply } from 'fastify';
import type { RequestContext } from '../../platform/request-context.ts';
import { toAsciiDigits } from '../../shared/ascii-digits.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { translateWait } from '../../shared/i18n/wait.ts';
import { findScan, getOpenCode, unlockScan } from '../scans/index.ts';
import type { FinderServices } from './finder-services.ts';
import { getVisitWithoutScan } from './record-visit.ts';
import { type FormResponse, sendVisitPage } from './send-visit.ts';

const PIN_PATTERN = /^[0-9]{4,12}$/;

/** A wait as short as this is said as a moment. */
const MAX_BUSY_SECONDS = 5;

/**
 * Answers a PIN that came from the form of a visit: the page with what is behind it, or the page that everybody sees with
 * what was wrong (400, 403, 429), also when the visit was unlocked before: a wrong PIN is never answered with what is
 * behind it. Throws NOT_FOUND where there is no such scan.
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
      return await complain({ status: 400, errorMessage: t(locale, 'finder.pinInvalid') });
    const found = await getOpenCode(services.database.client, codeId);
    const { code, content: shown } = await unlockScan(services, context, scanId, found, pin);
    return await sendVisitPage(services, reply, { code, scanId, ...shown }, locale, {
      status: 200,
      errorMessage: null,
    });
  } catch (error) {
    const answer = toPinFormResponse(error, locale);
    if (!answer) throw error;
    if (error instanceof ServiceError && error.retryAfterSeconds) {
      reply.header('Retry-After', error.retryAfterSeconds);
    }
    return complain(answer);
  }

  async function complain(answer: FormResponse): Promise<FastifyReply> {
    const visit = await getVisitWithoutScan(services, context, codeId);
    return sendVisitPage(services, reply, { ...visit, scanId }, locale, answer);
  }
}

/** What to say of a PIN that was refused; null for any other error. */
function toPinFormResponse(error: unknown, locale: Locale): FormResponse | null {
  if (!(error instanceof ServiceError)) return null;
  const { retryAfterSeconds: seconds = 60 } = error;
  const wait = translateWait(locale, seconds);
  if (error.code === 'PIN_INCORRECT') {
    const attemptsLeft = Number(error.members.attemptsLeft);
    const attemptsText =
      attemptsLeft > 0
        ? t(locale, 'finder.pinAttemptsLeft', { count: attemptsLeft })
        : `${t(locale, 'finder.pinNoAttemptsLeft')} ${wait}`;
    return { status: 403, errorMessage: `${t(locale, 'finder.pinWrong')} ${attemptsText}` };
  }
  if (error.code !== 'RATE_LIMITED') return null;
  // Tries that are only being compared may come back at once.
  const errorMessage =
    seconds <= MAX_BUSY_SECONDS
      ? t(locale, 'finder.pinBusy')
      : `${t(locale, 'finder.pinTooManyAttempts')} ${wait}`;
  return { status: 429, errorMessage };
}
