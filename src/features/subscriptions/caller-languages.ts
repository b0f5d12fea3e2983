import type { FastifyRequest } from 'fastify';
import { userOf } from '../../platform/authentication.ts';
import { acceptedLanguages } from './accepted-language.rules.ts';

/** What the client of a person accepts, then what the person has chosen. */
export function languagesOf(request: FastifyRequest): string[] {
  return [...acceptedLanguages(request.headers['accept-language']), userOf(request).language];
}
