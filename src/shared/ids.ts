import { randomFillSync, randomInt } from 'node:crypto';

/** The shape of every record id: 24 lower-case hexadecimal digits. */
export const ID_PATTERN = '^[0-9a-f]{24}$';

const ID_REGEX = new RegExp(ID_PATTERN);

/**
 * A new record id: 8 digits of creation time (Unix seconds) and 16 digits from a CSPRNG.
 * Sorts by creation and cannot be guessed; still, an id alone never opens anything private.
 */
export function generateId(at: Date = new Date()): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return seconds.toString(16).padStart(8, '0') + generateRandomHex();
}

const RANDOM_BYTES = 8;

// A call to the CSPRNG costs more than the rest of an id: one fetches the bytes of many.
const randomPool = Buffer.alloc(512 * RANDOM_BYTES);
let usedBytes = randomPool.length;

function generateRandomHex(): string {
  if (usedBytes === randomPool.length) {
    randomFillSync(randomPool);
    usedBytes = 0;
  }
  usedBytes += RANDOM_BYTES;
  return randomPool.toString('hex', usedBytes - RANDOM_BYTES, usedBytes);
}

/** Whether a value has the shape of a record id. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID_REGEX.test(value);
}

/** The smallest id that could have been made at this moment: for ranges of time over ids. */
export function getMinIdAt(at: Date): string {
  const seconds = Math.max(0, Math.floor(at.getTime() / 1000));
  return `${seconds.toString(16).padStart(8, '0')}0000000000000000`;
}

/** `length` decimal digits from a CSPRNG, leading zeros kept. */
export function generateRandomDigits(length: number): string {
  let digits = '';
  while (digits.length < length) digits += String(randomInt(10));
  return digits;
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** `length` lower-case letters and digits from a CSPRNG. */
export function generateRandomName(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
