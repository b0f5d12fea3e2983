/** Blanks, controls and what is not shown: in a form or a spreadsheet nobody sees why such a text is refused. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [0x09, 'a tab'],
  [0x0a, 'a line feed'],
  [0x0d, 'a carriage return'],
  [0x20, 'a space'],
  [0xa0, 'a no-break space'],
  [0xad, 'a soft hyphen'],
  [0x200b, 'a zero-width space'],
  [0x200c, 'a zero-width non-joiner'],
  [0x200d, 'a zero-width joiner'],
  [0x2028, 'a line separator'],
  [0x202f, 'a narrow no-break space'],
  [0x2060, 'a word joiner'],
  [0x3000, 'an ideographic space'],
  [0xfeff, 'a byte order mark'],
]);

/** Controls, line separators and direction overrides before all that texts may have. */
const PATTERNS = [
  /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu,
  /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu,
  /^ | $/g,
];

const SPACE_PATTERN = / /g;

/**
 * Name the first character that a reader of the text would not see, such as "a no-break space (U+00A0) as character 7".
 * Null without one. `allowed` are characters that the text may have; a space is named at its start and end, or wherever
 * it is not allowed.
 */
export function describeUnusualCharacter(text: string, allowed: string): string | null {
  const patterns = allowed.includes(' ') ? PATTERNS : [...PATTERNS, SPACE_PATTERN];
  for (const pattern of patterns)
    for (const { 0: character, index } of text.matchAll(pattern))
      if (character === ' ' || !allowed.includes(character)) return describeCharacter(text, index);
  return null;
}

/** Name the character at an index, with its place from 1. */
export function describeCharacter(text: string, index: number): string {
  const code = text.codePointAt(index) ?? 0;
  const name = NAMES.get(code) ?? 'the character';
  const hex = code.toString(16).toUpperCase().padStart(4, '0');
  return `${name} (U+${hex}) as character ${[...text.slice(0, index)].length + 1}`;
}
