import type { GlyphPosition } from '../pdf-library.ts';
import type { PdfFont } from './pdf-fonts.ts';

interface FontSubset {
  glyphs: number[];
  includeGlyph(id: number): number;
}

/** Above the glyph ids of any font. */
const FIRST_EMBEDDED_ID = 0x10000;

/**
 * Create a font of one document for pdfkit. A glyph is embedded once for each text that it stands for, so that programs
 * can read the text back; pdfkit would keep the first text alone.
 */
export function createEmbeddedFont({ font, shape }: Pick<PdfFont, 'font' | 'shape'>): object {
  const glyphs: { id: number; index: number | null }[] = [];
  const embeddedIds = new Map<string, number>();

  function getEmbeddedId(id: number, codePoints: readonly number[]): number {
    const key = `${id}:${codePoints}`;
    const embeddedId = embeddedIds.get(key) ?? FIRST_EMBEDDED_ID + glyphs.push({ id, index: null }) - 1;
    embeddedIds.set(key, embeddedId);
    return embeddedId;
  }

  return Object.create(font, {
    createSubset: {
      value() {
        const subset = font.createSubset() as unknown as FontSubset;
        const includeGlyph = subset.includeGlyph.bind(subset);
        subset.includeGlyph = (id) => {
          const glyph = glyphs[id - FIRST_EMBEDDED_ID];
          // A component of a glyph has its id in the font.
          if (!glyph) return includeGlyph(id);
          glyph.index ??= subset.glyphs.push(glyph.id) - 1;
          return glyph.index;
        };
        return subset;
      },
    },
    layout: {
      /** @param features a list for a text that is written from right to left */
      value(text: string, features?: string[]) {
        const shaped = shape(text, features ? 'rtl' : 'ltr');
        return {
          glyphs: shaped.glyphs.map((glyph) => ({ ...glyph, id: getEmbeddedId(glyph.id, glyph.codePoints) })),
          // pdfkit scales them.
          positions: shaped.positions.map((position) => ({ ...position })),
          get advanceWidth() {
            return this.positions.reduce((sum: number, { xAdvance }: GlyphPosition) => sum + xAdvance, 0);
          },
        };
      },
    },
  });
}
