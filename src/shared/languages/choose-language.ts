import Negotiator from 'negotiator';
import { ENGLISH, LANGUAGES, type Language } from './language.ts';

/** The language of somebody who chose a tag of BCP 47 for themselves: it, or the same without its region. */
export function languageOf(tag: string): Language {
  return LANGUAGES.get(tag) ?? LANGUAGES.get(tag.split('-')[0]?.toLowerCase() ?? '') ?? ENGLISH;
}

/** Tags that some browsers still send for languages that have another one now. */
const FORMER_TAGS: Record<string, string> = { iw: 'he', in: 'id', no: 'nb' };

/**
 * The language for somebody: the one they asked for, else the best of an Accept-Language header (RFC 9110, section
 * 12.5.4), where a language stands for all its regions; English where there is none.
 */
export function chooseLanguage(asked: string | undefined, acceptLanguage: string | undefined): Language {
  const chosen = asked === undefined ? undefined : LANGUAGES.get(asked);
  if (chosen) return chosen;
  const accepted = (acceptLanguage ?? '').replace(
    /\b(iw|in|no)\b/gi,
    (tag) => FORMER_TAGS[tag.toLowerCase()] ?? tag,
  );
  const [best] = new Negotiator({ headers: { 'accept-language': accepted } }).languages([
    ...LANGUAGES.keys(),
  ]);
  return (accepted === '' ? undefined : LANGUAGES.get(best ?? '')) ?? ENGLISH;
}
