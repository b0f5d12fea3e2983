import type { FastifyRequest } from 'fastify';
import { requireUser } from '../../platform/authentication.ts';
import { acceptedLanguages } from './accepted-language.rules.ts';

/** What the client of a person accepts, then what the person has chosen. */
export function languagesOf(request: FastifyRequest): string[] {
  return [...acceptedLanguages(request.headers['accept-language']), requireUser(request).language];
}
