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

/** Replaced after AT_WORD_PATTERN, so that "at home . please" does not become an address. */
const SPACED_DOT_PATTERN = /\s\.\s?(?=\p{Ll}{2})/gu;

const INVISIBLE_CHARACTERS_PATTERN = /\p{Cf}/gu;
// Coordinates, dates and times are not phone numbers.
const POSITION_PATTERN = /(?<![\d.])-?\d{1,3}\.\d{3,12}(?!\d|\.\d)/g;
const DATE_PATTERN =
  /(?<!\d)\d{4}[-/]\d{2}[-/]\d{2}(?!\d)|(?<![\d./])\d{1,2}[./] ?\d{1,2}[./] ?\d{2,4}(?!\d|[./-]\d)|(?<!\d)(?:19|20)\d{2} ?- ?(?:19|20)\d{2}(?!\d)/g;
const TIME_PATTERN = /(?<![\d.:])(?:[01]?\d|2[0-3])[:.][0-5]\d(?!\d|[.:]\d)/g;
const PHONE_NUMBER_PATTERN = /\+?\(?\d(?:[\s()./*·•_|-]{0,3}\d)*/g;
const CURRENCY_BEFORE_PATTERN = /(?:\p{Sc}|\b(?:EUR|USD|CHF|GBP|JPY|INR)) ?$/iu;
const CURRENCY_BEHIND_PATTERN = /^(?:[.,]\d{1,2})? ?(?:\p{Sc}|(?:EUR|USD|CHF|GBP|JPY|INR|Ft|zł|kr|TL)\b)/iu;
/** Groups of a number that starts as one: other digits between commas are a list. */
const COMMA_PHONE_PATTERN = /(?<!\d)(?:\+\d|0)\d{2,4}(?:, ?\d{2,8}){1,4}(?!\d)/g;
const REFERENCE_BEFORE_PATTERN =
  /(?<!\p{L})(?:order|invoice|ticket|booking|ref(?:erence)?|serial|case|bestellung|bestellnummer|auftrag|rechnung|aktenzeichen|commande|facture|pedido|factura|encomenda|fatura|ordine|fattura|bestelling|factuur|zamówienie|faktura|sipariş|заказ|замовлення|注文|订单)(?: (?:no|nr|num|id|number|nummer|numer|n[°º]))?[.:#]{0,2} ?#?$/iu;
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
    .replace(TIME_PATTERN, ' ; ')
    .replace(COMMA_PHONE_PATTERN, (number) => number.replaceAll(',', ' '));
  return [...text.matchAll(PHONE_NUMBER_PATTERN)].some(({ 0: number, index }) => {
    const digits = number.replace(/\D/g, '').length;
    const end = index + number.length;
    return (
      digits >= MIN_PHONE_DIGITS &&
      digits <= MAX_PHONE_DIGITS &&
      !ID_PATTERN.test(number) &&
      (/^[+(0]/.test(number) || !REFERENCE_BEFORE_PATTERN.test(text.slice(Math.max(0, index - 30), index))) &&
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
    .replaceAll(WRITTEN_DOT, '.')
    .replace(SPACED_DOT_PATTERN, '.');
  const parts = text.split(AT_SIGN_PATTERN);
  return parts
    .slice(1)
    .some(
      (part, index) =>
        DOMAIN_START_PATTERN.test(part) && LOCAL_PART_END_PATTERN.test(parts[index]?.slice(-2) ?? ''),
    );
}
