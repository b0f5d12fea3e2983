import { randomFillSync, randomInt } from 'node:crypto';

/** 24 lower-case hexadecimal digits. */
export const ID_PATTERN = '^[0-9a-f]{24}$';

const ID_REGEX = new RegExp(ID_PATTERN);

const TIME_DIGITS = 8;

/** Generate a sortable, unguessable id: 8 digits of Unix time, 16 random ones. Never an authorization. */
export function generateId(at: Date = new Date()): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return seconds.toString(16).padStart(TIME_DIGITS, '0') + generateRandomHex();
}

/**
 * Generate an id of a code, whose first two random digits are those of the cell: printed codes keep their address, so it
 * has to say which installation has the code, should there ever be several.
 * @param cellId two lower-case hexadecimal digits
 */
export function generateIdInCell(cellId: string): string {
  const id = generateId();
  return id.slice(0, TIME_DIGITS) + cellId + id.slice(TIME_DIGITS + cellId.length);
}

const RANDOM_BYTES = 8;

// A CSPRNG call costs more than the rest: fetch bytes for many ids.
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

export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID_REGEX.test(value);
}

/** Get the smallest id of a moment, for time ranges over ids. */
export function getMinIdAt(at: Date): string {
  const seconds = Math.max(0, Math.floor(at.getTime() / 1000));
  return `${seconds.toString(16).padStart(8, '0')}0000000000000000`;
}

export function generateRandomDigits(length: number): string {
  let digits = '';
  while (digits.length < length) digits += String(randomInt(10));
  return digits;
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

export function generateRandomAlphanumeric(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
