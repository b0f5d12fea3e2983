import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { toAsciiDigits } from './ascii-digits.ts';

export const MAX_PHONE_CHARACTERS = 64;

/** Contacts of phones put these around a number. */
const DIRECTION_MARKS_PATTERN = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const EXTENSION_PATTERN = /(?:;ext=|ext\.?|x|#) ?([0-9]{1,7})$/i;

export interface PhoneNumber {
  /** E.164 with a country code, else the digits as they are dialled. */
  number: string;
  extension: string | null;
}

/**
 * Read a number as people paste it: with any kind of spaces and digits, `tel:`, an extension, and `(0)`, which
 * some countries dial from abroad (Italy) and most do not. Null for other text. 15 digits: E.164.
 */
function parsePhone(text: string): PhoneNumber | null {
  if (text.length > MAX_PHONE_CHARACTERS) return null;
  const plain = toAsciiDigits(text.normalize('NFKC'))
    .replace(DIRECTION_MARKS_PATTERN, '')
    .replace(/\p{Pd}/gu, '-')
    .trim()
    .replace(/^tel:/i, '');
  const found = EXTENSION_PATTERN.exec(plain);
  const base = plain.slice(0, found?.index).trim();
  const digits = base.replace(/[^0-9]/g, '');
  if (!/^\+?[0-9 ()./-]+$/.test(base) || digits.length < 3 || digits.length > 15) return null;
  const extension = found?.[1] ?? null;
  if (!base.startsWith('+') && !base.startsWith('00')) return { number: digits, extension };
  const international = `+${base.replace(/^(?:\+|00)/, '')}`;
  const number =
    parsePhoneNumberFromString(international)?.number ?? `+${international.replace(/[^0-9]/g, '')}`;
  return { number, extension };
}

export function isPhone(text: string): boolean {
  return parsePhone(text) !== null;
}

/** Without an extension, which messages do not have. */
export function toDialableNumber(phone: string): string {
  return parsePhone(phone)?.number ?? phone.replace(/[^0-9]/g, '');
}

/** RFC 3966. */
export function toTelUri(phone: string): string {
  const extension = parsePhone(phone)?.extension;
  return `tel:${toDialableNumber(phone)}${extension ? `;ext=${extension}` : ''}`;
}
