import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Secret scanners find keys by it. */
const PREFIX = 'qrps_live_';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 178 bits. */
const RANDOM_LENGTH = 30;

const CHECKSUM_LENGTH = 6;

/** Characters that may be shown, to recognize a key: the prefix and the first four random ones. */
const SHOWN_LENGTH = PREFIX.length + 4;

const API_KEY_TOKEN_PATTERN = `^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`;

/** Generate the token of an API key. Its end is a checksum, so that a scanner needs no database. */
export function generateApiKeyToken(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('');
  return PREFIX + random + computeChecksum(PREFIX + random);
}

/** Whether a text has the form and the checksum of a token. */
export function isApiKeyToken(text: string): boolean {
  if (!new RegExp(API_KEY_TOKEN_PATTERN).test(text)) return false;
  return text.slice(-CHECKSUM_LENGTH) === computeChecksum(text.slice(0, -CHECKSUM_LENGTH));
}

export function getShownApiKeyPrefix(token: string): string {
  return token.slice(0, SHOWN_LENGTH);
}

/** CRC-32 in base 62. */
function computeChecksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}
