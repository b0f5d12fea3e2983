import type { FastifyRequest } from 'fastify';
import { requireUser } from '../../../platform/authentication.ts';
import { parseAcceptLanguage } from './accepted-language.rules.ts';

/** What the client of a person accepts, then what the person has chosen. */
export function getRequestLanguages(request: FastifyRequest): string[] {
  return [...parseAcceptLanguage(request.headers['accept-language']), requireUser(request).language];
}
