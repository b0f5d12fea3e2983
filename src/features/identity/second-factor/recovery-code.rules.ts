import { randomInt } from 'node:crypto';

/** Without ambiguous characters (Crockford's base 32). */
const CROCKFORD_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 80 bits per code. */
const GROUPS_PER_CODE = 4;
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
