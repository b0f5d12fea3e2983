import type { FastifyRequest } from 'fastify';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseAcceptLanguage } from '../../../shared/i18n/choose-locale.ts';

export function getRequestLanguages(request: FastifyRequest): string[] {
  return [
    ...parseAcceptLanguage(request.headers['accept-language']),
    requireAuthenticatedUser(request).language,
  ];
}

/** `de-CH` also matches `de` (RFC 4647, 3.4); then English, then `fallback`. */
export function chooseLocalizedName(
  names: Record<string, string>,
  languages: readonly string[],
  fallback: string,
): string {
  const known = new Map(Object.entries(names));
  for (const language of languages) {
    for (
      let tag = language.toLowerCase();
      tag !== '';
      tag = tag.slice(0, Math.max(tag.lastIndexOf('-'), 0))
    ) {
      const name = known.get(tag);
      if (name !== undefined) return name;
    }
  }
  return known.get('en') ?? fallback;
}
