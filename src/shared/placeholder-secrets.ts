const PLACEHOLDER_PATTERN =
  /change[-_ ]?(me|this|it)|placeholder|example|your[-_ ]|secret|password|default|insecure|xxxx|todo|dummy/i;

export function findPlaceholderSecretProblem(value: string, minDistinctCharacters = 12): string | null {
  if (PLACEHOLDER_PATTERN.test(value)) return 'looks like a placeholder; use a random value.';
  const material = value.replace(/(^|,)[a-z0-9]{1,16}:/g, '');
  if (new Set(material).size < minDistinctCharacters) {
    return 'has too few distinct characters to be random.';
  }
  if (isRepetition(material)) return 'repeats itself; use a random value.';
  return null;
}

/** A unit of at most half the length, at least twice. */
function isRepetition(text: string): boolean {
  return `${text}${text}`.indexOf(text, 1) <= text.length / 2;
}
