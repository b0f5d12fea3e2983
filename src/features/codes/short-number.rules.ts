import { randomBytes } from 'node:crypto';
import { toAsciiDigits } from '../../shared/ascii-digits.ts';

/** Crockford base 32: https://www.crockford.com/base32.html */
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 55 bits. */
const RANDOM_SYMBOLS = 11;

const CHECK_MODULUS = 37;

const GROUP_SYMBOLS = 4;

export const SHORT_NUMBER_PATTERN = `^[${SYMBOLS}]{4}-[${SYMBOLS}]{4}-[${SYMBOLS}]{4}$`;

const SHORT_NUMBER_REGEX = /^[0-9A-HJKMNP-TV-Z]{12}$/;

/** Longer texts are no number in any spelling. */
export const MAX_SHORT_NUMBER_CHARACTERS = 40;

/** Generate random symbols with their check symbol, which is one of the letters and digits, too. */
export function generateShortNumber(getRandomBytes: (size: number) => Uint8Array = randomBytes): string {
  for (;;) {
    const symbols = Array.from(getRandomBytes(RANDOM_SYMBOLS), (byte) => SYMBOLS[byte % SYMBOLS.length]).join(
      '',
    );
    const check = SYMBOLS[computeCheck(symbols)];
    if (check !== undefined) return symbols + check;
  }
}

/** Parse a number in any case, with or without hyphens and blanks; null if it is none or its check symbol is wrong. */
export function parseShortNumber(text: string): string | null {
  if (text.length > MAX_SHORT_NUMBER_CHARACTERS) return null;
  const number = toAsciiDigits(text)
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  const isValid =
    SHORT_NUMBER_REGEX.test(number) && SYMBOLS[computeCheck(number.slice(0, -1))] === number.at(-1);
  return isValid ? number : null;
}

/** Format a number as it is printed: `7K3M-9QXR-2F4T`. */
export function formatShortNumber(number: string): string {
  const groups = [];
  for (let at = 0; at < number.length; at += GROUP_SYMBOLS) groups.push(number.slice(at, at + GROUP_SYMBOLS));
  return groups.join('-');
}

function computeCheck(symbols: string): number {
  return [...symbols].reduce(
    (remainder, symbol) => (remainder * SYMBOLS.length + SYMBOLS.indexOf(symbol)) % CHECK_MODULUS,
    0,
  );
}
