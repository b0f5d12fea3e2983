import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type KeyedHashFunction, timingSafeEquals } from './crypto/keyed-hash.ts';

/** Secret scanners find keys by it. */
const PREFIX = 'qrps_live_';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 130 bits. */
const RANDOM_LENGTH = 22;

/** 47 bits: they choose what a request is counted for, and give no access. */
const MAC_LENGTH = 8;

const MAC_BYTES = 6;

const CHECKSUM_LENGTH = 6;

/** Characters that may be shown, to recognize a key: the prefix and the first four random ones. */
const SHOWN_LENGTH = PREFIX.length + 4;

const API_KEY_TOKEN_PATTERN = `^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + MAC_LENGTH + CHECKSUM_LENGTH}}$`;

/**
 * Generate the token of an API key: random characters, their MAC, and a checksum of both. The service recognizes its own
 * tokens by the MAC, a scanner all of this form by the checksum; neither needs the database.
 */
export function generateApiKeyToken(hash: KeyedHashFunction): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('');
  const text = PREFIX + random + computeMac(hash, random);
  return text + computeChecksum(text);
}

/** Whether a text has the form and the checksum of a token. */
export function isApiKeyToken(text: string): boolean {
  if (!new RegExp(API_KEY_TOKEN_PATTERN).test(text)) return false;
  return text.slice(-CHECKSUM_LENGTH) === computeChecksum(text.slice(0, -CHECKSUM_LENGTH));
}

/** Whether the service has generated a token of this form. Tokens made before there was a MAC have none. */
export function hasApiKeyTokenMac(hash: KeyedHashFunction, token: string): boolean {
  const macStart = PREFIX.length + RANDOM_LENGTH;
  const mac = token.slice(macStart, macStart + MAC_LENGTH);
  return timingSafeEquals(mac, computeMac(hash, token.slice(PREFIX.length, macStart)));
}

export function getShownApiKeyPrefix(token: string): string {
  return token.slice(0, SHOWN_LENGTH);
}

function computeMac(hash: KeyedHashFunction, random: string): string {
  return toBase62(hash('api-key-mac', random).readUIntBE(0, MAC_BYTES), MAC_LENGTH);
}

/** CRC-32 in base 62. */
function computeChecksum(text: string): string {
  return toBase62(crc32(text), CHECKSUM_LENGTH);
}

/** Convert to a fixed number of digits, the last ones. */
function toBase62(value: number, length: number): string {
  let rest = value;
  let digits = '';
  while (digits.length < length) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}
