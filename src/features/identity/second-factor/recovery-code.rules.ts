import { randomInt } from 'node:crypto';

/** Without ambiguous characters (Crockford's base 32). */
const CROCKFORD_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 120 bits per code: below 112 a fast keyed hash would not do (ASVS 5.0, 6.5.2). */
const GROUPS_PER_CODE = 6;
const CHARACTERS_PER_GROUP = 4;

export const RECOVERY_CODE_COUNT = 10;

export function generateRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    Array.from({ length: GROUPS_PER_CODE }, generateCodeGroup).join('-'),
  );
}

export function normalizeRecoveryCode(input: string): string {
  return input
    .toLowerCase()
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')
    .replaceAll(/[^0-9a-z]/g, '');
}

function generateCodeGroup(): string {
  return Array.from(
    { length: CHARACTERS_PER_GROUP },
    () => CROCKFORD_ALPHABET[randomInt(CROCKFORD_ALPHABET.length)],
  ).join('');
}
