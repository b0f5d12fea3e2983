const PLACEHOLDER_PATTERN =
  /change[-_ ]?(me|this|it)|placeholder|example|your[-_ ]|secret|password|default|insecure|xxxxxx|qwert[yz]|asdfgh|abcdefg|1234567|(?<![a-z0-9])(todo|dummy)(?![a-z0-9])/i;

const PRINTABLE_PATTERN = /^[\x20-\x7e]{16,}$/;

const VOWEL_BESIDE_CONSONANT_PATTERN =
  /(?=[aeiouAEIOU][b-df-hj-np-tv-z]|[B-DF-HJ-NP-TV-Zb-df-hj-np-tv-z][aeiou])/g;

const MAX_SEQUENCE_PERIOD = 8;

export function findPlaceholderSecretProblem(value: string, minDistinctCharacters = 10): string | null {
  if (PLACEHOLDER_PATTERN.test(value)) return 'looks like a placeholder; use a random value.';
  const material = value.replace(/(^|,)[a-z0-9]{1,16}:/g, '');
  if (new Set(material).size < minDistinctCharacters) {
    return 'has too few distinct characters to be random.';
  }
  if (isRepetition(material)) return 'contains repetitions; use a random value.';
  return null;
}

/** Find why a secret is guessable. */
export function findWeakSecretProblem(value: string): string | null {
  if (isSequence(value)) return 'contains a sequence such as abc, 321 or a1b2c3; use a random value.';
  if (isReadableText(value)) return 'is readable text; use 32 random bytes in base64.';
  return findPlaceholderSecretProblem(value);
}

/** In random values few sequences of three characters occur twice. */
function isRepetition(text: string): boolean {
  const parts = Array.from({ length: Math.max(0, text.length - 2) }, (_, start) =>
    text.slice(start, start + 3),
  );
  return new Set(parts).size < parts.length * 0.75;
}

/**
 * At one distance, most characters differ by at most 1 from the one before: abc, a1b2c3, aA1!aA2!. In random base64
 * about 5 % do, in random hexadecimal digits 17 %.
 */
function isSequence(text: string): boolean {
  const periods = Array.from({ length: MAX_SEQUENCE_PERIOD }, (_, index) => index + 1);
  return periods.some((period) => {
    const later = [...text].slice(period);
    const steps = later.map((character, index) => character.charCodeAt(0) - text.charCodeAt(index));
    return steps.filter((step) => Math.abs(step) <= 1).length > steps.length * 0.6;
  });
}

/** Words, or words in base64. */
function isReadableText(value: string): boolean {
  if (hasSyllables(value)) return true;
  if (/\s/.test(value) || /^[a-z\W_]+$/.test(value) || /^[A-Z\W_]+$/.test(value)) return true;
  const isBase64 = /^[A-Za-z0-9+/_-]+=*$/.test(value);
  return isBase64 && PRINTABLE_PATTERN.test(Buffer.from(value, 'base64').toString('latin1'));
}

/** In words half of adjacent characters are a vowel and a consonant, in random base64 10 %: 3 of 7 in one of a million. */
function hasSyllables(text: string): boolean {
  return [...text.matchAll(VOWEL_BESIDE_CONSONANT_PATTERN)].length > ((text.length - 1) * 3) / 7;
}
