import type { FastifyRequest } from 'fastify';
import { requireUser } from '../../../platform/authentication.ts';
import { parseAcceptLanguage } from './accepted-language.rules.ts';

/** Get the languages of Accept-Language, then the user's own. */
export function getRequestLanguages(request: FastifyRequest): string[] {
  return [...parseAcceptLanguage(request.headers['accept-language']), requireUser(request).language];
}
