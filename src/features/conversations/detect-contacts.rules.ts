import { toAsciiDigits } from '../../shared/ascii-digits.ts';

export type ContactDetailKind = 'EMAIL' | 'PHONE';

/** E.164 numbers have up to 15 digits. */
const MIN_PHONE_DIGITS = 7;
const MAX_PHONE_DIGITS = 15;

/** NFKC can make a text eighteen times as long; the rest is not searched. */
const MAX_SEARCHED_CHARACTERS = 4_000;

/** Names of the sign "@". */
const AT_NAME_PATTERN = /(?<!\p{L})(?:arroba|arobase|chiocciola|apenstaartje|małpa)(?!\p{L})/giu;
/** Names of the dot. */
const DOT_NAME_PATTERN = /(?<!\p{L})(?:dot|punkt|punto|ponto|kropka|nokta)(?!\p{L})/giu;
/** Private characters in place of those names. Before a dot that was a name, "at" is the sign. */
const WRITTEN_AT = '\ue001';
const WRITTEN_DOT = '\ue000';

const ENCLOSED_AT_PATTERN = /\s?[([{<]\s?(?:[@\ue001]|at|ät)\s?[)\]}>]\s?|\s\ue001\s/giu;
const ENCLOSED_DOT_PATTERN = /\s?[([{<]\s?(?:[.\ue000]|point|punt)\s?[)\]}>]\s?|\s\ue000\s/giu;
const AT_WORD_PATTERN =
  /\s(?:at|ät)\s(?=[\p{L}\p{N}.-]{1,60}\ue000|(?:aol|gmail|gmx|googlemail|hotmail|icloud|laposte|libero|mail|orange|outlook|proton|protonmail|qq|t-online|web|wp|yahoo|yandex)(?:\s?\.\s?|\s(?:point|punt)\s)(?:com|net|org|co|me|at|ch|de|es|fr|it|nl|pl|ru|uk)(?!\p{L}))/giu;
/** Words with other meanings ("at this point we"), so only behind a sign without spaces. */
const DOT_WORD_PATTERN = /(?<=\S@)([\p{L}\p{N}.-]{1,60})\s(?:point|punt)\s/giu;
const AT_SIGN_PATTERN = /\s?@\s?/u;
const LOCAL_PART_END_PATTERN = /[^\s@<>()]$/u;
const DOMAIN_START_PATTERN = /^[^\s@<>()]+\.[^\s@<>().]{2}/u;

/** Replaced after AT_WORD_PATTERN, so that "at home . please" does not become an address. */
const SPACED_DOT_PATTERN = /\s\.\s?(?=\p{Ll}{2})/gu;

/** Also the frame of a keycap emoji. */
const INVISIBLE_CHARACTERS_PATTERN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|\u20e3/gu;
/** A full stop of Chinese and Japanese; NFKC has made it of the others. Before their letters it ends a sentence. */
const IDEOGRAPHIC_DOT_PATTERN = /。(?=[a-z\d])/giu;

// Coordinates, times, dates, years, opening hours and chip numbers are not phone numbers.
const POSITION_PATTERN = /(?<![\d.])-?\d{1,3}\.\d{3,12}(?!\d|\.\d)/g;
const TIME_PATTERN = /(?<![\d.:])(?:[01]?\d|2[0-4])(?::[0-5]\d:[0-5]\d|[:.][0-5]\d)(?!\d|[.:]\d)/g;
const YEAR_FIRST_DATE_PATTERN =
  /(?<!\d)(?:\d{4}[-/]\d{2}[-/]\d{2}|(?:19|20)\d{2}\. ?\d{1,2}\. ?\d{1,2}(?!\.\d))(?!\d)/g;
/** "-" may follow in a range: 01.05.2025-03.05.2025. */
const DATE_PATTERN = /(?<![\d./])\d{1,2}[./] ?\d{1,2}[./] ?\d{2,4}(?!\d|[./]\d|-\d(?!\d?[./] ?\d{1,2}[./]))/g;
const SPACED_DATE_PATTERN = /(?<![\d+./-]|\d\d )[0-3]?\d[ -][0-3]?\d[ -](?:19|20)\d{2}(?!\d|[./-]\d)/g;
/** From year to year, or between quarter hours: 0900-1730. */
const RANGE_PATTERN =
  /(?<![\d+]|\d\d[ ./-]|\)[ -]?)(?:(?:(?:1[5-9]|20)\d{2} ?[-~] ?(?:1[5-9]|20)\d{2}|(?:[01]\d|2[0-4])(?:[03]0|[14]5) ?[-~] ?(?:[01]\d|2[0-4])(?:[03]0|[14]5))(?!\d|[./-]\d)[ /]?){1,4}/g;
/** As a chip prints it: in one run, or 3-3-3-3-3, or 3-4-4-4. */
const CHIP_PATTERN =
  /(?<![\d+]|\d[ .-])(?:\d{14,40}|[1-9]\d{2}(?:(?:[ .-]\d{3}){4}|(?:[ .-]\d{4}){3}))(?!\d)/g;
const NOT_PHONE_PATTERNS = [
  POSITION_PATTERN,
  TIME_PATTERN,
  YEAR_FIRST_DATE_PATTERN,
  DATE_PATTERN,
  SPACED_DATE_PATTERN,
  RANGE_PATTERN,
  CHIP_PATTERN,
];
const PHONE_NUMBER_PATTERN = /\+?\(?\d(?:[\s()./*·•_|'’~:-]{0,3}\d)*/g;
const CURRENCY_BEFORE_PATTERN = /(?:\p{Sc}|\b(?:EUR|USD|CHF|GBP|JPY|INR)) ?$/iu;
const CURRENCY_BEHIND_PATTERN =
  /^(?:[.,]\d{1,2})? ?(?:[\p{Sc}円元원]|(?:EUR|USD|CHF|GBP|JPY|INR|Ft|zł|kr|TL)\b)/iu;
/** Groups of a number that starts as one: other digits between commas are a list. */
const COMMA_PHONE_PATTERN = /(?<!\d)(?:\+\d|0)\d{2,4}(?:, ?\d{2,8}){1,4}(?!\d)/g;
const REFERENCE_BEFORE_PATTERN =
  /(?<!\p{L})(?:order|invoice|ticket|booking|ref(?:erence)?|serial|case|(?:micro|mikro)?chip|bestellung|bestellnummer|auftrag|rechnung|aktenzeichen|commande|facture|pedido|factura|encomenda|fatura|ordine|fattura|bestelling|factuur|zamówienie|faktura|sipariş|заказ|замовлення|注文|订单)(?: (?:no|nr|num|id|number|nummer|numer|n[°º]))?[.:#]{0,2} ?#?$/iu;

export function detectContactDetailsInTexts(texts: readonly string[]): ContactDetailKind[] {
  return [...new Set(texts.flatMap(detectContactDetails))].sort();
}

/** Detect contact details in a message, to warn its sender. This is a guess with false positives. */
export function detectContactDetails(text: string): ContactDetailKind[] {
  const normalized = toAsciiDigits(text.normalize('NFKC').slice(0, MAX_SEARCHED_CHARACTERS))
    .replace(INVISIBLE_CHARACTERS_PATTERN, '')
    .replace(IDEOGRAPHIC_DOT_PATTERN, '.')
    .replace(/\p{Pd}/gu, '-');
  return [
    ...(hasEmailAddress(normalized) ? ['EMAIL' as const] : []),
    ...(hasPhoneNumber(normalized) ? ['PHONE' as const] : []),
  ];
}

function hasPhoneNumber(normalized: string): boolean {
  const text = NOT_PHONE_PATTERNS.reduce((rest, pattern) => rest.replace(pattern, ' ; '), normalized).replace(
    COMMA_PHONE_PATTERN,
    (number) => number.replaceAll(',', ' '),
  );
  return [...text.matchAll(PHONE_NUMBER_PATTERN)].some(({ 0: number, index }) => {
    const digits = number.replace(/\D/g, '').length;
    const end = index + number.length;
    return (
      digits >= MIN_PHONE_DIGITS &&
      digits <= MAX_PHONE_DIGITS &&
      (/^[+(0]/.test(number) || !REFERENCE_BEFORE_PATTERN.test(text.slice(Math.max(0, index - 30), index))) &&
      !CURRENCY_BEFORE_PATTERN.test(text.slice(Math.max(0, index - 6), index)) &&
      !CURRENCY_BEHIND_PATTERN.test(text.slice(end, end + 8))
    );
  });
}

/** Each part between two signs is looked at once: one pattern for all would take quadratic time. */
function hasEmailAddress(normalized: string): boolean {
  const text = normalized
    .replace(AT_NAME_PATTERN, WRITTEN_AT)
    .replace(DOT_NAME_PATTERN, WRITTEN_DOT)
    .replace(ENCLOSED_AT_PATTERN, '@')
    .replace(ENCLOSED_DOT_PATTERN, WRITTEN_DOT)
    .replace(AT_WORD_PATTERN, '@')
    .replace(DOT_WORD_PATTERN, '$1.')
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
