import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { memoize } from '../../shared/memoize.ts';
import { type Font, openFont } from '../pdf-library.ts';
import { PDF_FONTS, type PdfFontFamily } from './pdf-font-files.ts';
import { createShaper } from './pdf-shaping.ts';
import type { PdfScript } from './pdf-text.rules.ts';

export interface PdfFont {
  name: string;
  font: Font;
  shape: ReturnType<typeof createShaper>;
  /** Draw the outlines bolder, since the font has one weight. */
  isEmboldened: boolean;
}

interface FontChoice {
  character: string;
  script: PdfScript | null;
  previous: PdfFont | null;
  bold: boolean;
  /** BCP 47; Chinese and Japanese write some characters of the same code differently. */
  language: string;
}

/** Written by the build; without it the files of the packages are read. */
const BUILT_FOLDER = new URL('./fonts/', import.meta.url);

const IGNORABLE_PATTERN = /^\p{Default_Ignorable_Code_Point}$/u;
const ASCII_PATTERN = /^[!-~]$/;
const SYMBOL_PATTERN = /^[\u2010-\u2bff\u3000-\u33ff\ufe30-\ufe4f\uff00-\uffef]$/;

/** Return a font that has the character, or null. Fonts are read when a text first needs them, and kept. */
export function choosePdfFont(choice: FontChoice): PdfFont | null {
  const { character, previous } = choice;
  if (IGNORABLE_PATTERN.test(character)) return previous ?? getDefaultPdfFont(choice.bold);
  const codePoint = character.codePointAt(0) ?? 0;
  for (const candidate of listCandidates(choice))
    if (candidate.font.hasGlyphForCodePoint(codePoint)) return candidate;
  return null;
}

export function getDefaultPdfFont(bold: boolean): PdfFont {
  return getFont('sans', bold);
}

/** A generator, so that no font is read when one before it has the character. */
function* listCandidates({ character, script, previous, bold, language }: FontChoice): Iterable<PdfFont> {
  // Digits and Latin punctuation look alike in all languages.
  if (script === null && previous && !ASCII_PATTERN.test(character)) yield previous;
  if (script === 'arabic' || script === 'hebrew' || script === 'hangul') yield getFont(script, bold);
  if (script !== 'cjk') yield getFont('sans', bold);
  if (script !== 'cjk' && !SYMBOL_PATTERN.test(character)) return;
  const isChinese = language.startsWith('zh');
  yield getFont(isChinese ? 'chinese' : 'japanese', bold);
  yield getFont(isChinese ? 'japanese' : 'chinese', bold);
}

function getFont(family: PdfFontFamily, bold: boolean): PdfFont {
  return bold ? getBoldFont(family) : getRegularFont(family);
}

const getRegularFont = memoize(
  (family: PdfFontFamily): PdfFont => openPdfFont(family, family, PDF_FONTS[family].regular),
);

const getBoldFont = memoize((family: PdfFontFamily): PdfFont => {
  const { bold } = PDF_FONTS[family];
  return bold
    ? openPdfFont(`${family}-bold`, family, bold)
    : { ...getRegularFont(family), isEmboldened: true };
});

function openPdfFont(name: string, family: PdfFontFamily, file: string): PdfFont {
  const built = new URL(`${basename(file)}.br`, BUILT_FOLDER);
  const bytes = existsSync(built)
    ? brotliDecompressSync(readFileSync(built))
    : readFileSync(createRequire(import.meta.url).resolve(`${PDF_FONTS[family].package}/${file}`));
  const font = openFont(bytes);
  if (!('hasGlyphForCodePoint' in font)) throw new Error(`${file} has several fonts.`);
  return { name, font, shape: createShaper(font), isEmboldened: false };
}
