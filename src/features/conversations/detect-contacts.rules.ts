import { toAsciiDigits } from '../../shared/ascii-digits.ts';

/** A way to reach somebody that a text gives away. */
export type ContactKind = 'EMAIL' | 'PHONE';

/** Digits of one number, at least and at most (E.164 has fifteen). */
const [FEWEST, MOST] = [7, 15];

const EMAIL_PATTERN = /[^\s@<>()]+\s?(?:@|\(at\)|\[at\])\s?[^\s@<>()]+\.[^\s@<>().]{2,}/iu;
// A position, or a day: digits that are no number to call.
const POSITION_PATTERN = /-?\d{1,3}\.\d{3,}/g;
const DATE_PATTERN = /\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}/g;
const PHONE_NUMBER_PATTERN = /\+?\(?\d(?:[\s()./-]{0,3}\d)*/g;

/** What contacts several texts show, each by itself. */
export function detectContactsInTexts(texts: readonly string[]): ContactKind[] {
  return [...new Set(texts.flatMap(detectContacts))].sort();
}

/** What contacts a message shows, for its sender to know before it is sent: a guess that may see too many, and keeps nothing back. */
export function detectContacts(text: string): ContactKind[] {
  const normalized = toAsciiDigits(text.normalize('NFKC'));
  const rest = normalized.replace(POSITION_PATTERN, ' | ').replace(DATE_PATTERN, ' | ');
  const lengths = [...rest.matchAll(PHONE_NUMBER_PATTERN)].map(
    ([number]) => number.replace(/\D/g, '').length,
  );
  const hasNumber = lengths.some((length) => length >= FEWEST && length <= MOST);
  return [
    ...(EMAIL_PATTERN.test(normalized) ? ['EMAIL' as const] : []),
    ...(hasNumber ? ['PHONE' as const] : []),
  ];
}
