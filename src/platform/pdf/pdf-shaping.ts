import { LRUCache } from 'lru-cache';
import type { Font, GlyphPosition } from '../pdf-library.ts';
import { mirrorPdfText } from './pdf-text.rules.ts';

/** Glyphs from left to right; units of the font. */
export interface ShapedText {
  glyphs: readonly { id: number; advanceWidth: number; codePoints: number[] }[];
  positions: readonly GlyphPosition[];
  width: number;
}

/** Of one font; reports of a language repeat most of their texts. */
const MAX_CACHED_TEXTS = 1_000;

const IGNORABLE_PATTERN = /\p{Default_Ignorable_Code_Point}/gu;

/** Return a function that shapes texts of one script. */
export function createShaper(font: Font): (text: string, direction: 'ltr' | 'rtl') => ShapedText {
  // fontkit keeps the first text of each glyph for later ones, but letters share glyphs, such as Arabic ones that differ
  // by their dots.
  const getGlyph = font.getGlyph.bind(font);
  font.getGlyph = (id, codePoints = []) => Object.create(getGlyph(id), { codePoints: { value: codePoints } });
  const cache = new LRUCache<string, ShapedText>({ max: MAX_CACHED_TEXTS });
  return (text, direction) => {
    const key = `${direction}:${text}`;
    const shaped = cache.get(key) ?? shapeText(font, text, direction);
    cache.set(key, shaped);
    return shaped;
  };
}

function shapeText(font: Font, text: string, direction: 'ltr' | 'rtl'): ShapedText {
  const drawn = direction === 'rtl' ? mirrorPdfText(text) : text;
  const { glyphs, positions } = font.layout(drawn, [], undefined, undefined, direction);
  const parts = glyphs.map(({ codePoints }, index) =>
    // fontkit replaces what is not drawn by spaces without width.
    positions[index]?.xAdvance === 0 && codePoints[0] === 0x20 ? [] : codePoints,
  );
  const texts = assignCodePoints(parts, toCodePoints(text), toCodePoints(drawn), direction);
  return {
    glyphs: glyphs.map(({ id, advanceWidth }, index) => ({
      id,
      advanceWidth,
      codePoints: texts[index] ?? [],
    })),
    positions,
    width: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0),
  };
}

function toCodePoints(text: string): number[] {
  return Array.from(text.replace(IGNORABLE_PATTERN, ''), (character) => character.codePointAt(0) ?? 0);
}

/**
 * Divide a text among glyphs in their visual order. A script may have reordered or joined them: the smallest groups with
 * the same code points get the text of the group, in its order. A glyph without text would be read as a space.
 * @param parts code points of each glyph
 */
function assignCodePoints(
  parts: readonly (readonly number[])[],
  text: readonly number[],
  drawn: readonly number[],
  direction: 'ltr' | 'rtl',
): number[][] {
  const isReversed = direction === 'rtl';
  const [visualText, visualDrawn] = isReversed ? [text.toReversed(), drawn.toReversed()] : [text, drawn];
  const result: number[][] = [];
  let [first, start, size] = [0, 0, 0];
  // How much oftener the glyphs of the group have a code point than its text has.
  const differences = new Map<number, number>();
  const count = (codePoint: number, change: number) => {
    const difference = (differences.get(codePoint) ?? 0) + change;
    if (difference === 0) differences.delete(codePoint);
    else differences.set(codePoint, difference);
  };
  for (const [index, part] of parts.entries()) {
    for (const codePoint of part) {
      count(codePoint, 1);
      count(visualDrawn[start + size] ?? 0, -1);
      size += 1;
    }
    const isLast = index === parts.length - 1;
    if (differences.size > 0 && !isLast) continue;
    const group = visualText.slice(start, isLast ? undefined : start + size);
    for (let place = first; place < index; place += 1) result.push(group.splice(0, 1));
    result.push(isReversed ? group.reverse() : group);
    [first, start, size] = [index + 1, start + size, 0];
  }
  return result;
}
