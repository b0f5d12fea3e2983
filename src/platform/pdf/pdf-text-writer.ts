import type { Locale } from '../../shared/i18n/locales.ts';
import { createEmbeddedFont } from './pdf-embedded-font.ts';
import type { PdfFont } from './pdf-fonts.ts';
import {
  breakPdfLines,
  cleanPdfText,
  orderPdfRuns,
  type PdfTextRun,
  splitPdfText,
} from './pdf-text.rules.ts';

export const PDF_TEXT_COLOR = '#1a1a1a';

/** Of the size of the font. */
export const PDF_LINE_HEIGHT = 1.156;
const BASELINE = 0.75;
const BOLD_STROKE = 1 / 40;

/** Points from the top, and from the left; where texts are mirrored, from the right. */
export interface PdfTextLayout {
  x: number;
  y: number;
  width: number;
  size: number;
  color?: string;
  bold?: boolean;
  align?: 'start' | 'end' | 'center';
  /** Longer text is truncated with an ellipsis. */
  lines?: number;
  /** `auto` for texts of users: the direction of the first letter. */
  direction?: 'auto';
}

export interface PdfTextWriter {
  /** False once a character had no glyph. */
  isFullyPrintable: boolean;
  /** Place texts from the right; by default in languages that are read from right to left. */
  isMirrored: boolean;
  /** Return the y below the text. */
  write(text: string, layout: PdfTextLayout): number;
  /** Points of a text on one line. */
  measure(text: string, size: number): number;
  /** Count the lines that a text takes, without drawing it. */
  countLines(text: string, layout: Pick<PdfTextLayout, 'width' | 'size' | 'bold' | 'direction'>): number;
  /** Return where a box is from the left. */
  getLeft(x: number, width: number): number;
}

type TextRun = PdfTextRun<PdfFont>;

/** Create a writer of texts in all scripts, shaped and in their order. @param pageWidth points */
export async function createPdfTextWriter(
  document: PDFKit.PDFDocument,
  { tag: language, direction }: Pick<Locale, 'tag' | 'direction'>,
  pageWidth: number,
): Promise<PdfTextWriter> {
  // Loaded lazily: only PDF files need them.
  const { choosePdfFont, getDefaultPdfFont } = await import('./pdf-fonts.ts');

  function splitText(text: string, bold = false, base: 'ltr' | 'rtl' | 'auto' = direction) {
    return splitPdfText<PdfFont>(text, base, (character, script, previous) => {
      const font = choosePdfFont({ character, script, previous, bold, language });
      if (!font) writer.isFullyPrintable = false;
      return font ?? getDefaultPdfFont(bold);
    });
  }

  const embeddedFonts = new Set<string>();
  function setFont(font: PdfFont, size: number): void {
    // The types of pdfkit lack fonts that are open already.
    if (!embeddedFonts.has(font.name)) document.registerFont(font.name, createEmbeddedFont(font) as never);
    embeddedFonts.add(font.name);
    document.font(font.name).fontSize(size);
  }

  function drawLine(
    runs: readonly TextRun[],
    { left, baseline, size, color }: { left: number; baseline: number; size: number; color: string },
  ): void {
    let x = left;
    for (const run of orderPdfRuns(runs)) {
      const { isEmboldened } = run.font;
      const textWidth = measureRun(run, size);
      setFont(run.font, size);
      document.fillColor(color);
      if (isEmboldened) document.lineWidth(size * BOLD_STROKE).strokeColor(color);
      document.text(toDrawnText(run), x, baseline, {
        // With a list of features, pdfkit shapes the words of a run together, and our font from right to left.
        ...(isRightToLeft(run) && { features: [] }),
        baseline: 'alphabetic',
        lineBreak: false,
        fill: isEmboldened,
        stroke: isEmboldened,
      });
      x += textWidth;
    }
  }

  function breakLines(
    text: string,
    {
      width,
      size,
      bold = false,
      direction,
      lines: maxLines,
    }: Pick<PdfTextLayout, 'width' | 'size' | 'bold' | 'direction'> & { lines: number },
  ): TextRun[][] {
    const clean = cleanPdfText(text);
    const { runs, level } = splitText(clean, bold, direction);
    const measure = (parts: readonly TextRun[]) => measureRuns(parts, size);
    const ellipsis = {
      start: clean.length,
      end: clean.length + 1,
      text: '…',
      script: null,
      level,
      font: getDefaultPdfFont(bold),
    };
    return breakPdfLines(clean, runs, { width, maxLines, ellipsis, measure });
  }

  const writer: PdfTextWriter = {
    isFullyPrintable: true,
    isMirrored: direction === 'rtl',
    write(
      text,
      {
        x,
        y,
        width,
        size,
        color = PDF_TEXT_COLOR,
        bold = false,
        align = 'start',
        lines: maxLines = 1,
        direction,
      },
    ) {
      const lines = breakLines(text, { width, size, bold, direction, lines: maxLines });
      const measure = (parts: readonly TextRun[]) => measureRuns(parts, size);
      const left = writer.getLeft(x, width);
      const { isMirrored } = writer;
      const share = { start: isMirrored ? 1 : 0, center: 0.5, end: isMirrored ? 0 : 1 }[align];
      for (const [index, line] of lines.entries()) {
        const top = y + index * size * PDF_LINE_HEIGHT;
        drawLine(line, {
          left: left + share * (width - measure(line)),
          baseline: top + size * BASELINE,
          size,
          color,
        });
      }
      return y + lines.length * size * PDF_LINE_HEIGHT;
    },
    countLines(text, layout) {
      return breakLines(text, { ...layout, lines: Number.POSITIVE_INFINITY }).length;
    },
    measure(text, size) {
      return measureRuns(splitText(cleanPdfText(text), false).runs, size);
    },
    getLeft(x, width) {
      return writer.isMirrored ? pageWidth - x - width : x;
    },
  };
  return writer;
}

/** Points. */
function measureRun(run: TextRun, size: number): number {
  const { font, shape } = run.font;
  return (shape(toDrawnText(run), isRightToLeft(run) ? 'rtl' : 'ltr').width * size) / font.unitsPerEm;
}

function measureRuns(runs: readonly TextRun[], size: number): number {
  return runs.reduce((sum, run) => sum + measureRun(run, size), 0);
}

function isRightToLeft({ level }: TextRun): boolean {
  return level % 2 === 1;
}

/** Leave out what no glyph shows. */
function toDrawnText({ text, font: { font } }: TextRun): string {
  return text.replace(/\p{Default_Ignorable_Code_Point}/gu, (character) =>
    font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0) ? character : '',
  );
}
