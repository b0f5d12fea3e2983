import { withPlainDigits } from '../../shared/digits.ts';

/** A way to reach somebody that a text gives away. */
export type Contact = 'EMAIL' | 'PHONE';

/** Digits of one number, at least and at most (E.164 has fifteen). */
const [FEWEST, MOST] = [7, 15];

const EMAIL = /[^\s@<>()]+\s?(?:@|\(at\)|\[at\])\s?[^\s@<>()]+\.[^\s@<>().]{2,}/iu;
// A position, or a day: digits that are no number to call.
const POSITION = /-?\d{1,3}\.\d{3,}/g;
const DAY = /\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}/g;
const NUMBER = /\+?\(?\d(?:[\s()./-]{0,3}\d)*/g;

/** What contacts several texts show, each by itself. */
export function contactsInAny(texts: readonly string[]): Contact[] {
  return [...new Set(texts.flatMap(contactsIn))].sort();
}

/** What contacts a message shows, for its sender to know before it is sent: a guess that may see too many, and keeps nothing back. */
export function contactsIn(text: string): Contact[] {
  const plain = withPlainDigits(text.normalize('NFKC'));
  const rest = plain.replace(POSITION, ' | ').replace(DAY, ' | ');
  const lengths = [...rest.matchAll(NUMBER)].map(([number]) => number.replace(/\D/g, '').length);
  const hasNumber = lengths.some((length) => length >= FEWEST && length <= MOST);
  return [...(EMAIL.test(plain) ? ['EMAIL' as const] : []), ...(hasNumber ? ['PHONE' as const] : [])];
}
