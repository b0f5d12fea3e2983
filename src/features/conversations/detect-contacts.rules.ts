import { toAsciiDigits } from '../../shared/ascii-digits.ts';

export type ContactDetailKind = 'EMAIL' | 'PHONE';

/** E.164 numbers have up to 15 digits. */
const MIN_PHONE_DIGITS = 7;
const MAX_PHONE_DIGITS = 15;

/** NFKC can make a text eighteen times as long; the rest is not searched. */
const MAX_SEARCHED_CHARACTERS = 4_000;

const AT_SIGN_PATTERN = /\s?(?:@|[([{<]\s?(?:@|at|ät|arroba)\s?[)\]}>])\s?/iu;
const LOCAL_PART_END_PATTERN = /[^\s@<>()]$/u;
const DOMAIN_START_PATTERN = /^[^\s@<>()]+\.[^\s@<>().]{2}/u;
/** "dot", between signs or as a word of its own. */
const DOT_WORD_PATTERN =
  /\s?[([{<]\s?(?:\.|dot|punkt|punto|point|ponto|kropka|nokta)\s?[)\]}>]\s?|\s(?:dot|punkt|punto|ponto|kropka|nokta)\s/giu;
/** Marks a dot that was a word (a private character): only then "at" can be the sign. */
const WRITTEN_DOT = '\ue000';
const AT_WORD_PATTERN = /\s(?:at|ät|arroba)\s(?=[\p{L}\p{N}.-]{1,60}\ue000)/giu;

const INVISIBLE_CHARACTERS_PATTERN = /\p{Cf}/gu;
// Coordinates, dates and times are not phone numbers.
const POSITION_PATTERN = /(?<![\d.])-?\d{1,3}\.\d{3,12}(?!\d|\.\d)/g;
const DATE_PATTERN =
  /(?<!\d)\d{4}[-/]\d{2}[-/]\d{2}(?!\d)|(?<![\d./])\d{1,2}[./] ?\d{1,2}[./] ?\d{2,4}(?!\d|[./-]\d)|(?<!\d)(?:19|20)\d{2} ?- ?(?:19|20)\d{2}(?!\d)/g;
const TIME_PATTERN = /(?<![\d.:])(?:[01]?\d|2[0-3])[:.][0-5]\d(?!\d|[.:]\d)/g;
const PHONE_NUMBER_PATTERN = /\+?\(?\d(?:[\s()./*·•_|-]{0,3}\d)*/g;
const CURRENCY_BEFORE_PATTERN = /(?:\p{Sc}|\b(?:EUR|USD|CHF|GBP|JPY|INR)) ?$/iu;
const CURRENCY_BEHIND_PATTERN = /^(?:[.,]\d{1,2})? ?(?:\p{Sc}|(?:EUR|USD|CHF|GBP|JPY|INR|Ft|zł|kr|TL)\b)/iu;
/** Digits in one run, such as those of a pet's chip. */
const ID_PATTERN = /^\d{14,}$/;

export function detectContactDetailsInTexts(texts: readonly string[]): ContactDetailKind[] {
  return [...new Set(texts.flatMap(detectContactDetails))].sort();
}

/** Detect contact details in a message, to warn its sender. This is a guess with false positives. */
export function detectContactDetails(text: string): ContactDetailKind[] {
  const normalized = toAsciiDigits(text.normalize('NFKC').slice(0, MAX_SEARCHED_CHARACTERS))
    .replace(INVISIBLE_CHARACTERS_PATTERN, '')
    .replace(/\p{Pd}/gu, '-');
  return [
    ...(hasEmailAddress(normalized) ? ['EMAIL' as const] : []),
    ...(hasPhoneNumber(normalized) ? ['PHONE' as const] : []),
  ];
}

function hasPhoneNumber(normalized: string): boolean {
  const text = normalized
    .replace(POSITION_PATTERN, ' ; ')
    .replace(DATE_PATTERN, ' ; ')
    .replace(TIME_PATTERN, ' ; ');
  return [...text.matchAll(PHONE_NUMBER_PATTERN)].some(({ 0: number, index }) => {
    const digits = number.replace(/\D/g, '').length;
    const end = index + number.length;
    return (
      digits >= MIN_PHONE_DIGITS &&
      digits <= MAX_PHONE_DIGITS &&
      !ID_PATTERN.test(number) &&
      !CURRENCY_BEFORE_PATTERN.test(text.slice(Math.max(0, index - 6), index)) &&
      !CURRENCY_BEHIND_PATTERN.test(text.slice(end, end + 8))
    );
  });
}

/** Each part between two signs is looked at once: one pattern for all would take quadratic time. */
function hasEmailAddress(normalized: string): boolean {
  const text = normalized
    .replace(DOT_WORD_PATTERN, WRITTEN_DOT)
    .replace(AT_WORD_PATTERN, '@')
    .replaceAll(WRITTEN_DOT, '.');
  const parts = text.split(AT_SIGN_PATTERN);
  return parts
    .slice(1)
    .some(
      (part, index) =>
        DOMAIN_START_PATTERN.test(part) && LOCAL_PART_END_PATTERN.test(parts[index]?.slice(-2) ?? ''),
    );
}
