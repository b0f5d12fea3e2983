import { randomBytes, timingSafeEqual } from 'node:crypto';
import { defineColumnCipher } from '../../../platform/column-cipher.ts';
import { toAsciiDigits } from '../../../shared/ascii-digits.ts';
import { codesCatalogue } from '../catalogue.ts';

/** Crockford base 32, without letters that look like digits. */
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 40 bits. */
const CLAIM_CODE_SYMBOLS = 8;

export const MAX_CLAIM_CODE_CHARACTERS = 40;

/** Without its hyphen. */
export const CLAIM_CODE = defineColumnCipher(codesCatalogue, 'batch_tags.claim_code').of<string>();

export function generateClaimCode(): string {
  return Array.from(randomBytes(CLAIM_CODE_SYMBOLS), (byte) => SYMBOLS[byte % SYMBOLS.length]).join('');
}

/** Format a code as it is printed: `7K3M-9QXR`. */
export function formatClaimCode(code: string): string {
  return `${code.slice(0, CLAIM_CODE_SYMBOLS / 2)}-${code.slice(CLAIM_CODE_SYMBOLS / 2)}`;
}

/** Compare what somebody typed, in any case, with or without hyphens and blanks. */
export function matchesClaimCode(code: string, typed: string): boolean {
  const plain = toAsciiDigits(typed.slice(0, MAX_CLAIM_CODE_CHARACTERS))
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  const [expected, actual] = [Buffer.from(code), Buffer.from(plain)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
