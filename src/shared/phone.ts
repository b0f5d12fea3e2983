import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { toAsciiDigits } from './ascii-digits.ts';

export const MAX_PHONE_CHARACTERS = 64;

/** Contacts of phones put these around a number. */
const DIRECTION_MARKS_PATTERN = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** In words, as RFC 3966 has it, or behind a pause, as contacts of phones have it. */
const EXTENSION_PATTERN = /(?:(?:;ext=|ext(?:ension|n)?[.:]?|x|#) ?|[,;pw]{1,3})([0-9]{1,7})$/i;

/** E.164. */
const MAX_INTERNATIONAL_DIGITS = 15;

/** The international prefixes of countries have up to five digits, such as 00700. */
const MAX_DIALED_DIGITS = 20;

export interface PhoneNumber {
  /** E.164 with a country code, else the digits as they are dialled. */
  number: string;
  extension: string | null;
}

/**
 * Read a number as people paste it: with any kind of spaces and digits, `tel:`, an extension, and `(0)`, which
 * some countries dial from abroad (Italy) and most do not. Null for other text.
 */
function parsePhone(text: string): PhoneNumber | null {
  if (text.length > MAX_PHONE_CHARACTERS) return null;
  const plain = toAsciiDigits(text.normalize('NFKC'))
    .replace(DIRECTION_MARKS_PATTERN, '')
    .replace(/\p{Pd}/gu, '-')
    .trim()
    .replace(/^tel:/i, '');
  const found = EXTENSION_PATTERN.exec(plain);
  const base = plain
    .slice(0, found?.index)
    .trim()
    .replace(/^\( ?(\+|00)/, '$1');
  const digits = base.replace(/[^0-9]/g, '');
  if (!/^\+?[0-9 ()./-]+$/.test(base) || digits.length < 3) return null;
  const extension = found?.[1] ?? null;
  const isInternational = base.startsWith('+');
  const hasPrefix = !isInternational && digits.startsWith('0');
  if (digits.length > (hasPrefix ? MAX_DIALED_DIGITS : MAX_INTERNATIONAL_DIGITS)) return null;
  if (isInternational) return { number: parsePhoneNumberFromString(base)?.number ?? `+${digits}`, extension };
  return { number: (base.startsWith('00') && readAfterPrefix(base)) || digits, extension };
}

/**
 * Read a number after the international prefix 00. Null where the prefix of another country explains the number as
 * well or better: 001 in Hong Kong, Singapore and Thailand, 0011 in Australia, 009 in Nigeria, …
 */
function readAfterPrefix(base: string): string | null {
  const number = parsePhoneNumberFromString(`+${base.slice(2)}`);
  if (!number?.isValid()) return null;
  const isAmbiguous =
    base.startsWith('001') && parsePhoneNumberFromString(`+${base.slice(3)}`)?.isValid() === true;
  return isAmbiguous ? null : number.number;
}

export function isPhone(text: string): boolean {
  return parsePhone(text) !== null;
}

/** Format a number for messages, which reach no extension. */
export function toMessageNumber(phone: string): string {
  return parsePhone(phone)?.number ?? phone.replace(/[^0-9]/g, '');
}

/** Format a number for an address book. A comma makes phones dial the extension after a pause. */
export function toContactNumber(phone: string): string {
  const extension = parsePhone(phone)?.extension;
  return `${toMessageNumber(phone)}${extension ? `,${extension}` : ''}`;
}

/** RFC 3966. */
export function toTelUri(phone: string): string {
  const extension = parsePhone(phone)?.extension;
  return `tel:${toMessageNumber(phone)}${extension ? `;ext=${extension}` : ''}`;
}
