import type { Locale } from '../../../shared/i18n/locales.ts';
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
export const PDF_MUTED_TEXT_COLOR = '#4a4a4a';
export const PDF_CHART_GRID_COLOR = '#dde2e8';
export const PDF_CARD_COLOR = '#f4f6f9';

/** A4, in points. */
const PAGE_WIDTH = 595;

/** Of the size of the font. */
const LINE_HEIGHT = 1.156;
const BASELINE = 0.75;
const BOLD_STROKE = 1 / 40;

/** Points from the top, and from the left; in a report that is read from right to left, from the right. */
interface TextLayout {
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

export interface PdfSheet {
  document: PDFKit.PDFDocument;
  isFullyPrintable: boolean;
  /** Return the y below the text. */
  write(text: string, layout: TextLayout): number;
  tag(type: string, text: string, layout: TextLayout, parent?: PDFKit.PDFStructureElement): number;
  /** With `ltr`, `draw` places texts from the left in every language. */
  figure(text: string, draw: () => void, direction?: 'ltr'): void;
  /** Draw what screen readers skip. */
  decorate(draw: (document: PDFKit.PDFDocument) => void): void;
  /** Points of a text on one line. */
  measure(text: string, size: number): number;
  /** Return where a box is from the left. */
  getLeft(x: number, width: number): number;
  group(type: string, parent?: PDFKit.PDFStructureElement): PDFKit.PDFStructureElement;
  end(): Promise<Buffer>;
}

type TextRun = PdfTextRun<PdfFont>;

export async function createPdfSheet(title: string, { tag: language, direction }: Locale): Promise<PdfSheet> {
  // Loaded lazily: only PDF reports need them.
  const { PDFDocument } = await import('../../../platform/pdf-library.ts');
  const { choosePdfFont, getDefaultPdfFont } = await import('./pdf-fonts.ts');
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    lang: language,
    tagged: true,
    displayTitle: true,
    // No standard font, which would be loaded for nothing.
    font: '',
    info: { Title: title },
  });
  const root = document.struct('Document');
  document.addStructure(root);
  let isMirrored = direction === 'rtl';

  function splitText(text: string, bold = false, base: 'ltr' | 'rtl' | 'auto' = direction) {
    return splitPdfText<PdfFont>(text, base, (character, script, previous) => {
      const font = choosePdfFont({ character, script, previous, bold, language });
      if (!font) sheet.isFullyPrintable = false;
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

  const sheet: PdfSheet = {
    document,
    isFullyPrintable: true,
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
      const lines = breakPdfLines(clean, runs, { width, maxLines, ellipsis: ellipsis, measure });
      const left = sheet.getLeft(x, width);
      const share = { start: isMirrored ? 1 : 0, center: 0.5, end: isMirrored ? 0 : 1 }[align];
      for (const [index, line] of lines.entries()) {
        const top = y + index * size * LINE_HEIGHT;
        drawLine(line, {
          left: left + share * (width - measure(line)),
          baseline: top + size * BASELINE,
          size,
          color,
        });
      }
      return y + lines.length * size * LINE_HEIGHT;
    },
    tag(type, text, layout, parent = root) {
      let below = layout.y;
      const element = document.struct(type, {}, () => {
        below = sheet.write(text, layout);
      });
      parent.add(element);
      element.end();
      return below;
    },
    figure(text, draw, direction) {
      const element = document.struct('Figure', { alt: text }, () => {
        const previous = isMirrored;
        if (direction === 'ltr') isMirrored = false;
        draw();
        isMirrored = previous;
      });
      root.add(element);
      element.end();
    },
    decorate(draw) {
      document.markContent('Artifact');
      draw(document);
      document.endMarkedContent();
    },
    measure(text, size) {
      return measureRuns(splitText(cleanPdfText(text), false).runs, size);
    },
    getLeft(x, width) {
      return isMirrored ? PAGE_WIDTH - x - width : x;
    },
    group(type, parent = root) {
      const element = document.struct(type);
      parent.add(element);
      return element;
    },
    async end() {
      root.end();
      document.end();
      const chunks: Buffer[] = [];
      for await (const chunk of document) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks);
    },
  };
  return sheet;
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
