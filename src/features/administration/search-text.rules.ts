import { createValidationError } from '../../shared/errors.ts';

const LETTER_OR_DIGIT_PATTERN = /[\p{L}\p{N}]/gu;

/** Letters and digits a search by support must have: fewer are in nearly everything. */
const MIN_SEARCH_CHARACTERS = 3;

/** How many letters and digits a text has; blanks, marks and what is not seen do not count. */
export function countLettersAndDigits(text: string): number {
  return text.normalize('NFC').match(LETTER_OR_DIGIT_PATTERN)?.length ?? 0;
}

/**
 * What support looks for, as it is compared: composed, without blanks around it. Throws VALIDATION_FAILED where fewer than
 * three letters or digits are in it.
 */
export function parseSupportSearch(input: string): string {
  const search = input.normalize('NFC').trim();
  if (countLettersAndDigits(search) >= MIN_SEARCH_CHARACTERS) return search;
  const message = `Must have at least ${MIN_SEARCH_CHARACTERS} letters or digits.`;
  throw createValidationError({ field: 'search', code: 'TOO_SHORT', message });
}
