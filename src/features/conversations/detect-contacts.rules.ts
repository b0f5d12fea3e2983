import { toAsciiDigits } from '../../shared/ascii-digits.ts';

export type ContactDetailKind = 'EMAIL' | 'PHONE';

/** E.164 numbers have up to 15 digits. */
const MIN_PHONE_DIGITS = 7;
const MAX_PHONE_DIGITS = 15;

/** NFKC can make a text eighteen times as long; the rest is not searched. */
const MAX_SEARCHED_CHARACTERS = 4_000;

const AT_SIGN_PATTERN = /\s?(?:@|\(at\)|\[at\])\s?/iu;
const LOCAL_PART_END_PATTERN = /[^\s@<>()]$/u;
const DOMAIN_START_PATTERN = /^[^\s@<>()]+\.[^\s@<>().]{2}/u;
// Coordinates and dates are not phone numbers.
const POSITION_PATTERN = /-?\d{1,3}\.\d{3,}/g;
const DATE_PATTERN = /\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}/g;
const PHONE_NUMBER_PATTERN = /\+?\(?\d(?:[\s()./-]{0,3}\d)*/g;

export function detectContactDetailsInTexts(texts: readonly string[]): ContactDetailKind[] {
  return [...new Set(texts.flatMap(detectContactDetails))].sort();
}

/** Detect contact details in a message, to warn its sender. This is a guess with false positives. */
export function detectContactDetails(text: string): ContactDetailKind[] {
  const normalized = toAsciiDigits(text.normalize('NFKC').slice(0, MAX_SEARCHED_CHARACTERS));
  const rest = normalized.replace(POSITION_PATTERN, ' | ').replace(DATE_PATTERN, ' | ');
  const lengths = [...rest.matchAll(PHONE_NUMBER_PATTERN)].map(
    ([number]) => number.replace(/\D/g, '').length,
  );
  const hasNumber = lengths.some((length) => length >= MIN_PHONE_DIGITS && length <= MAX_PHONE_DIGITS);
  return [
    ...(hasEmailAddress(normalized) ? ['EMAIL' as const] : []),
    ...(hasNumber ? ['PHONE' as const] : []),
  ];
}

/** Each part between two signs is looked at once: one pattern for all would take quadratic time. */
function hasEmailAddress(text: string): boolean {
  const parts = text.split(AT_SIGN_PATTERN);
  return parts
    .slice(1)
    .some(
      (part, index) =>
        DOMAIN_START_PATTERN.test(part) && LOCAL_PART_END_PATTERN.test(parts[index]?.slice(-2) ?? ''),
    );
}
