import { generateRandomName } from '../../shared/ids.ts';
import type { KindDefinition } from './kinds/kind-definition.ts';

/** Latin letters that have no decomposition in Unicode. */
const LETTER_REPLACEMENTS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
};

const MAX_SLUG_CHARACTERS = 40;

/** A title as 1 to 40 of [a-z0-9-]: latin letters without their marks, everything else a hyphen; `code` where nothing is left. */
export function toSlug(title: string): string {
  const plain = title
    .slice(0, 400)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøđðþłħŧŋı]/g, (letter) => LETTER_REPLACEMENTS[letter] ?? '');
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, MAX_SLUG_CHARACTERS)
    .replace(/-$/, '');
  return slug || 'code';
}

/**
 * The slug of a new code. Twelve random letters and digits where the title can be sensitive and the image's address
 * must not be guessed: a sensitive kind, or an image that holds the content itself.
 */
export function createSlug(kind: KindDefinition, mode: 'STATIC' | 'DYNAMIC', title: string): string {
  const isRandom = kind.sensitive === 'ALWAYS' || (kind.sensitive === 'STATIC' && mode === 'STATIC');
  return isRandom ? generateRandomName(12) : toSlug(title);
}

/** The name of an image file: `<kind>-<slug>-<ownerId>-<epochMillis>.png`. */
export function createImageFileName(kind: KindDefinition, slug: string, ownerId: string, at: Date): string {
  const word = kind.kind.toLowerCase().replaceAll('_', '-');
  return `${word}-${slug}-${ownerId}-${String(at.getTime()).padStart(13, '0')}.png`;
}
