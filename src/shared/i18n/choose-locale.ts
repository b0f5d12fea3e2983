import Negotiator from 'negotiator';
import { DEFAULT_LOCALE, LOCALES, type Locale } from './locales.ts';

/** Parse a BCP 47 tag: the locale of it or of its language alone, else the default. */
export function toSupportedLocale(tag: string): Locale {
  return LOCALES.get(tag) ?? LOCALES.get(tag.split('-')[0]?.toLowerCase() ?? '') ?? DEFAULT_LOCALE;
}

/** Browsers send far less. The rest is ignored: negotiation compares each range with each locale. */
const MAX_HEADER_LENGTH = 500;

/** Deprecated tags that some browsers still send. */
const REPLACED_TAGS: Record<string, string> = { iw: 'he', in: 'id', no: 'nb' };

/** Choose the requested locale, else the best of Accept-Language (RFC 9110, section 12.5.4), else the default. */
export function chooseLocale(requested: string | undefined, acceptLanguage: string | undefined): Locale {
  const chosen = requested === undefined ? undefined : LOCALES.get(requested);
  if (chosen) return chosen;
  const accepted = readHeader(acceptLanguage);
  if (accepted === '') return DEFAULT_LOCALE;
  const [best] = createNegotiator(accepted).languages([...LOCALES.keys()]);
  return LOCALES.get(best ?? '') ?? DEFAULT_LOCALE;
}

/** List the languages of Accept-Language, the preferred one first, as the client spells them. */
export function parseAcceptLanguage(acceptLanguage: string | undefined): string[] {
  const accepted = readHeader(acceptLanguage);
  if (accepted === '') return [];
  return createNegotiator(accepted)
    .languages()
    .filter((tag) => tag !== '*');
}

function readHeader(acceptLanguage: string | undefined): string {
  return (acceptLanguage ?? '')
    .slice(0, MAX_HEADER_LENGTH)
    .replace(/\b(iw|in|no)\b/gi, (tag) => REPLACED_TAGS[tag.toLowerCase()] ?? tag);
}

function createNegotiator(accepted: string): Negotiator {
  return new Negotiator({ headers: { 'accept-language': accepted } });
}
