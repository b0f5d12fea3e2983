import { invalidFields } from '../../shared/errors.ts';

const LETTER = /[\p{L}\p{N}]/gu;

/** Letters and digits a search by support must have: fewer are in nearly everything. */
const LEAST = 3;

/** How many letters and digits a text has; blanks, marks and what is not seen do not count. */
export function lettersOf(text: string): number {
  return text.normalize('NFC').match(LETTER)?.length ?? 0;
}

/**
 * What support looks for, as it is compared: composed, without blanks around it. Throws VALIDATION_FAILED where fewer than
 * three letters or digits are in it.
 */
export function supportSearch(given: string): string {
  const search = given.normalize('NFC').trim();
  if (lettersOf(search) >= LEAST) return search;
  const message = `Must have at least ${LEAST} letters or digits.`;
  throw invalidFields({ field: 'search', code: 'TOO_SHORT', message });
}
