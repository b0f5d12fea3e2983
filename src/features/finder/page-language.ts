import type { FastifyRequest } from 'fastify';
import { chooseLanguage } from '../../shared/languages/choose-language.ts';
import type { Language } from '../../shared/languages/language.ts';

/** The language of the page that answers a request: the one of its address, else what the browser asks for. */
export function pageLanguage({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): Language {
  const asked: unknown = typeof query === 'object' && query !== null ? Reflect.get(query, 'lang') : undefined;
  return chooseLanguage(typeof asked === 'string' ? asked : undefined, headers['accept-language']);
}
