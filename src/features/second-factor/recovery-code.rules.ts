import { randomInt } from 'node:crypto';

/** Letters and digits that nobody takes for one another (Crockford's base 32). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 80 bits a code. */
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** How many codes a person gets at once. */
export const RECOVERY_CODES = 10;

/** New recovery codes, such as `k3f9-01xz-p8qa-77rt`, from a CSPRNG. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => Array.from({ length: GROUPS }, group).join('-'));
}

/** A code as it is hashed, however it was typed: in capitals, with blanks, with an o for a zero. */
export function plainRecoveryCode(typed: string): string {
  return typed
    .toLowerCase()
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')
    .replaceAll(/[^0-9a-z]/g, '');
}

function group(): string {
  return Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
