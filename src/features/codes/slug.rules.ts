import { generateRandomAlphanumeric } from '../../shared/ids.ts';
import type { QrCodeKindDefinition } from './kinds/kind-definition.ts';

/** Latin letters without a Unicode decomposition. */
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

/** Twelve random characters where title and image must not be guessable. */
export function createQrCodeSlug(
  kind: QrCodeKindDefinition,
  mode: 'STATIC' | 'DYNAMIC',
  title: string,
): string {
  const isRandom = kind.sensitive === 'ALWAYS' || (kind.sensitive === 'STATIC' && mode === 'STATIC');
  return isRandom ? generateRandomAlphanumeric(12) : toSlug(title);
}

export function createQrCodeImageFileName(
  kind: QrCodeKindDefinition,
  slug: string,
  accountId: string,
  at: Date,
): string {
  const word = kind.kind.toLowerCase().replaceAll('_', '-');
  return `${word}-${slug}-${accountId}-${String(at.getTime()).padStart(13, '0')}.png`;
}
