import type { FastifyRequest } from 'fastify';
import { chooseLocale } from '../../shared/i18n/choose-locale.ts';
import type { Locale } from '../../shared/i18n/locales.ts';

export function choosePageLocale({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): Locale {
  const requested: unknown =
    typeof query === 'object' && query !== null ? Reflect.get(query, 'lang') : undefined;
  return chooseLocale(typeof requested === 'string' ? requested : undefined, headers['accept-language']);
}
