const PLACEHOLDER_PATTERN =
  /change[-_ ]?(me|this|it)|placeholder|example|your[-_ ]|secret|password|default|insecure|xxxx|todo|dummy|qwert|asdfg|abcdefg|1234567/i;

const PRINTABLE_PATTERN = /^[\x20-\x7e]{16,}$/;

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
  if (isSequence(value)) return 'contains a sequence such as abc or 321; use a random value.';
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

/** More than half of adjacent characters differ by at most 1; in random base64 about 5 %. */
function isSequence(text: string): boolean {
  const steps = [...text]
    .slice(1)
    .map((character, index) => character.charCodeAt(0) - text.charCodeAt(index));
  return steps.filter((step) => Math.abs(step) <= 1).length > steps.length / 2;
}

/** Words, or words in base64. */
function isReadableText(value: string): boolean {
  if (/\s/.test(value) || /^[a-z\W_]+$/.test(value) || /^[A-Z\W_]+$/.test(value)) return true;
  const isBase64 = /^[A-Za-z0-9+/_-]+=*$/.test(value);
  return isBase64 && PRINTABLE_PATTERN.test(Buffer.from(value, 'base64').toString('latin1'));
}
