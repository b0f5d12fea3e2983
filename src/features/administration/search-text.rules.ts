import { createValidationError } from '../../shared/errors.ts';

const LETTER_OR_DIGIT_PATTERN = /[\p{L}\p{N}]/gu;

/** Fewer match nearly everything. */
const MIN_SEARCH_CHARACTERS = 3;

export function countLettersAndDigits(text: string): number {
  return text.normalize('NFC').match(LETTER_OR_DIGIT_PATTERN)?.length ?? 0;
}

/** Normalize the search text of support. @throws VALIDATION_FAILED for fewer than three letters or digits */
export function parseSupportSearch(input: string): string {
  const search = input.normalize('NFC').trim();
  if (countLettersAndDigits(search) >= MIN_SEARCH_CHARACTERS) return search;
  const message = `Must have at least ${MIN_SEARCH_CHARACTERS} letters or digits.`;
  throw createValidationError({ field: 'search', code: 'TOO_SHORT', message });
}

/** Support finds single users and codes; it must not be able to list all of them. */
export const MAX_SEARCH_ROWS = 100;

export const FIRST_MATCHES = { skip: 0, take: MAX_SEARCH_ROWS };
