/** A line of text below a symbol, as outlines: every viewer and printer shows the same. */
export interface ImageCaption {
  /** SVG path data; pixels of the image, whose height grows by `height`. */
  path: string;
  height: number;
}

/** Of the width of the image; less for a text of wide letters. */
const FONT_SIZE = 0.095;
const MAX_TEXT_WIDTH = 0.92;

/** Of the size of the font, below the quiet zone of the symbol. */
const LINE_HEIGHT = 1.2;
const BASELINE = 0.85;

/** Outline a short text in Latin letters and digits below an image of a width in pixels. */
export async function createImageCaption(text: string, width: number): Promise<ImageCaption> {
  // Loaded lazily: it takes longer than all other image code.
  const { getDefaultPdfFont } = await import('../pdf/pdf-fonts.ts');
  const { font } = getDefaultPdfFont(true);
  const { glyphs, positions, advanceWidth } = font.layout(text);
  const fontSize = width * FONT_SIZE;
  const scale = Math.min(fontSize / font.unitsPerEm, (width * MAX_TEXT_WIDTH) / advanceWidth);
  const baseline = width + fontSize * BASELINE;
  let x = (width - advanceWidth * scale) / 2;
  let path = '';
  for (const [index, glyph] of glyphs.entries()) {
    path += glyph.path.scale(scale, -scale).translate(x, baseline).toSVG();
    x += (positions[index]?.xAdvance ?? glyph.advanceWidth) * scale;
  }
  return { path, height: Math.ceil(fontSize * LINE_HEIGHT) };
}
