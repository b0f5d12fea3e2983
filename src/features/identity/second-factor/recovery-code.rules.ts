import { randomInt } from 'node:crypto';

/** Letters and digits that nobody takes for one another (Crockford's base 32). */
const CROCKFORD_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 80 bits a code. */
const GROUPS_PER_CODE = 4;
const CHARACTERS_PER_GROUP = 4;

/** How many codes a person gets at once. */
export const RECOVERY_CODE_COUNT = 10;

/** New recovery codes, such as `k3f9-01xz-p8qa-77rt`, from a CSPRNG. */
export function generateRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    Array.from({ length: GROUPS_PER_CODE }, generateCodeGroup).join('-'),
  );
}

/** A code as it is hashed, however it was typed: in capitals, with blanks, with an o for a zero. */
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
