import type { FastifyReply } from 'fastify';
import { ServiceError, type ServiceErrorCode } from '../../shared/errors.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { translateWaitingTime } from '../../shared/i18n/wait.ts';

/**
 * Translate why a use case refused what somebody sent, for the page that has their form; set Retry-After where they have to
 * wait. `texts` are those that the page has for codes of its own.
 * @throws what is no refusal
 */
export function translateRefusal(
  error: unknown,
  reply: FastifyReply,
  locale: Locale,
  texts: Partial<Record<ServiceErrorCode, string>> = {},
): { status: number; text: string } {
  if (!(error instanceof ServiceError) || (error.statusCode >= 500 && error.code !== 'BUSY')) throw error;
  const { code, statusCode: status, retryAfterSeconds } = error;
  if (code === 'RATE_LIMITED' || code === 'BUSY') {
    const seconds = retryAfterSeconds ?? 60;
    reply.header('Retry-After', String(Math.ceil(seconds)));
    const reason = texts[code] ?? t(locale, code === 'BUSY' ? 'app.busy' : 'signIn.tooMany');
    return { status, text: `${reason} ${translateWaitingTime(locale, seconds)}` };
  }
  if (code === 'ACCOUNT_SUSPENDED') return { status, text: t(locale, 'app.suspendedText') };
  const text = texts[code];
  if (text === undefined) throw error;
  return { status, text };
}
