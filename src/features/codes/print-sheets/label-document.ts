import { setImmediate as immediate } from 'node:timers/promises';
import type { PageArea } from '../../../platform/pdf/pdf-rasterizer.ts';
import {
  createPdfTextWriter,
  PDF_LINE_HEIGHT,
  type PdfTextWriter,
} from '../../../platform/pdf/pdf-text-writer.ts';
import { toPoints } from '../../../platform/pdf/pdf-units.ts';
import type { PlacedQrSymbol } from '../../../platform/qr-image/decode-pdf.ts';
import { toSupportedLocale } from '../../../shared/i18n/choose-locale.ts';
import { drawCalibrationPage, drawCutMarks } from './draw-page-marks.ts';
import {
  countTextLines,
  type ErrorCorrection,
  type LabelLayout,
  type LabelSymbol,
  MIN_FONT_POINTS,
  placeLabelSymbol,
} from './label-layout.ts';
import { countLabelsPerPage, getLabelPosition } from './label-sheet.rules.ts';
import type { LabelGrid } from './label-templates.ts';

/** What the labels of a sheet have in common. */
export interface LabelSheet {
  grid: LabelGrid;
  /** From 1. */
  startCell: number;
  background: string | null;
  bleedMillimeters: number;
  cutMarks: boolean;
  calibrationPage: boolean;
  offset: { x: number; y: number };
  errorCorrection: ErrorCorrection | null;
  /** Of the texts: BCP 47. */
  language: string;
}

export interface Label {
  id: string;
  /** What the symbol encodes. */
  content: string;
  texts: readonly LabelText[];
}

export interface LabelText {
  text: string;
  /** May take a second line. */
  isTitle?: boolean;
}

/** Where the symbol of a label is. */
export interface PlacedLabel extends PlacedQrSymbol, Pick<Label, 'id'> {
  /** From 0, the calibration page included. */
  page: number;
  /** From 0. */
  cell: number;
}

export interface LabelDocument {
  /** Draw labels; returns the ids of those whose content needs a larger label too. */
  add(labels: readonly Label[]): { placed: PlacedLabel[]; tooSmall: string[] };
  /** Return the bytes since the last call. */
  takeBytes(): Promise<Uint8Array[]>;
  readonly pages: number;
  end(): void;
}

/** Create a PDF whose pages are written as soon as they are full, so that its size does not matter. */
export async function createLabelDocument(sheet: LabelSheet): Promise<LabelDocument> {
  const { grid } = sheet;
  const locale = toSupportedLocale(sheet.language);
  // Loaded lazily: it takes longer than all other image code.
  const { PDFDocument } = await import('../../../platform/pdf-library.ts');
  const size: [number, number] = [toPoints(grid.page.width), toPoints(grid.page.height)];
  const document = new PDFDocument({
    size,
    margin: 0,
    // No standard font, which would be loaded for nothing.
    font: '',
    autoFirstPage: false,
    lang: locale.tag,
    info: { Title: 'QR codes' },
  });
  const chunks: Uint8Array[] = [];
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const writer = await createPdfTextWriter(document, locale, size[0]);
  const isMirrored = writer.isMirrored;
  // Labels place their texts themselves.
  writer.isMirrored = false;
  const perPage = countLabelsPerPage(grid);
  let cell = sheet.startCell - 1;
  let pages = 0;

  function addPage(): void {
    document.addPage();
    pages += 1;
    document.translate(toPoints(sheet.offset.x), toPoints(sheet.offset.y));
  }

  if (sheet.calibrationPage) {
    addPage();
    drawCalibrationPage(document, writer, grid);
  }

  let isPageOpen = false;

  return {
    add(labels) {
      const tooSmall: string[] = [];
      const placed: PlacedLabel[] = [];
      for (const label of labels) {
        const lines = countTextLines(label.texts);
        const fitted = placeLabelSymbol(grid, label.content, sheet.errorCorrection ?? undefined, lines);
        if (!fitted) {
          tooSmall.push(label.id);
          continue;
        }
        if (!isPageOpen || cell === perPage) {
          if (isPageOpen) cell = 0;
          addPage();
          if (sheet.cutMarks) drawCutMarks(document, grid, sheet.bleedMillimeters);
          isPageOpen = true;
        }
        drawBackground(document, sheet, cell);
        const position = getLabelPosition(grid, cell);
        const area = getSymbolArea(position, fitted.layout, { isMirrored, labelWidth: grid.width });
        drawSymbol(document, area, fitted);
        placed.push({
          id: label.id,
          content: label.content,
          page: pages - 1,
          cell,
          area: { ...area, x: area.x + sheet.offset.x, y: area.y + sheet.offset.y },
        });
        if (fitted.layout.texts)
          drawTexts(label.texts, position, fitted.layout.texts, { isMirrored, labelWidth: grid.width });
        cell += 1;
      }
      return { placed, tooSmall };
    },
    async takeBytes() {
      // The document passes its bytes on in a later turn.
      await immediate();
      return chunks.splice(0);
    },
    get pages() {
      return pages;
    },
    end() {
      // A PDF has at least one page.
      if (pages === 0) document.addPage();
      document.end();
    },
  };

  function drawTexts(
    texts: readonly LabelText[],
    { x, y }: { x: number; y: number },
    box: NonNullable<LabelLayout['texts']>,
    { isMirrored, labelWidth }: LabelSide,
  ): void {
    const left = x + (isMirrored ? labelWidth - box.x - box.width : box.x);
    const { fontPoints, lines } = chooseFontSize(writer, texts, toPoints(box.width), toPoints(box.height));
    let below = toPoints(y + box.y);
    for (const [index, { text, isTitle = false }] of texts.entries()) {
      const maxLines = lines[index] ?? 0;
      if (maxLines === 0) return;
      writer.isMirrored = isMirrored && box.align === 'start';
      below = writer.write(text, {
        // A mirrored writer counts from the right edge of the page.
        x: writer.isMirrored ? size[0] - toPoints(left + box.width) : toPoints(left),
        y: below,
        width: toPoints(box.width),
        size: fontPoints,
        color: '#000000',
        bold: isTitle,
        align: box.align,
        lines: maxLines,
        direction: 'auto',
      });
    }
  }
}

const MAX_FONT_POINTS = 12;
const FONT_STEP_POINTS = 0.5;

/** Find the largest size at which no text is truncated; at the smallest one, what is too much is. */
function chooseFontSize(
  writer: Pick<PdfTextWriter, 'countLines'>,
  texts: readonly LabelText[],
  width: number,
  height: number,
): { fontPoints: number; lines: number[] } {
  const countAt = (size: number) =>
    texts.map(({ text, isTitle = false }) =>
      writer.countLines(text, { width, size, bold: isTitle, direction: 'auto' }),
    );
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  for (let fontPoints = MAX_FONT_POINTS; fontPoints >= MIN_FONT_POINTS; fontPoints -= FONT_STEP_POINTS) {
    if (texts.length * fontPoints * PDF_LINE_HEIGHT > height) continue;
    const lines = countAt(fontPoints);
    if (sum(lines) * fontPoints * PDF_LINE_HEIGHT <= height) return { fontPoints, lines };
  }
  let free = Math.floor(height / (MIN_FONT_POINTS * PDF_LINE_HEIGHT));
  const lines = countAt(MIN_FONT_POINTS).map((count, index) => {
    const others = texts.length - index - 1;
    const own = Math.min(count, free, Math.max(1, free - others));
    free -= own;
    return own;
  });
  return { fontPoints: MIN_FONT_POINTS, lines };
}

interface LabelSide {
  isMirrored: boolean;
  labelWidth: number;
}

function getSymbolArea(
  { x, y }: { x: number; y: number },
  { symbol }: LabelLayout,
  { isMirrored, labelWidth }: LabelSide,
): PageArea {
  const left = isMirrored ? labelWidth - symbol.x - symbol.side : symbol.x;
  return { x: x + left, y: y + symbol.y, width: symbol.side, height: symbol.side };
}

/** Whole numbers in units of a module: a short content stream without rounding. */
function drawSymbol(
  document: PDFKit.PDFDocument,
  { x, y, width: side }: PageArea,
  { symbol, layout }: { symbol: LabelSymbol; layout: LabelLayout },
): void {
  const { module } = layout.symbol;
  const quietZone = (side - symbol.size * module) / 2;
  document.save();
  document.translate(toPoints(x + quietZone), toPoints(y + quietZone));
  document.scale(toPoints(module));
  for (let row = 0; row < symbol.size; row += 1)
    for (let column = 0; column < symbol.size; column += 1) {
      const start = column;
      while (column < symbol.size && symbol.modules[row * symbol.size + column] === 1) column += 1;
      if (column > start) document.rect(start, row, column - start, 1);
    }
  document.fill('#000000').restore();
}

/** Over the edge of the label by the bleed, but never onto another label. */
function drawBackground(document: PDFKit.PDFDocument, sheet: LabelSheet, cell: number): void {
  const { grid, background, bleedMillimeters: bleed } = sheet;
  if (background === null) return;
  const { x, y } = getLabelPosition(grid, cell);
  const column = cell % grid.columns;
  const row = Math.floor(cell / grid.columns);
  const gapX = Math.min(bleed, (grid.pitchX - grid.width) / 2);
  const gapY = Math.min(bleed, (grid.pitchY - grid.height) / 2);
  const left = column === 0 ? bleed : gapX;
  const right = column === grid.columns - 1 ? bleed : gapX;
  const top = row === 0 ? bleed : gapY;
  const bottom = row === grid.rows - 1 ? bleed : gapY;
  if (grid.shape === 'ROUND')
    document.circle(
      toPoints(x + grid.width / 2),
      toPoints(y + grid.height / 2),
      toPoints(grid.width / 2 + Math.min(gapX, gapY)),
    );
  else
    document.rect(
      toPoints(x - left),
      toPoints(y - top),
      toPoints(grid.width + left + right),
      toPoints(grid.height + top + bottom),
    );
  document.fill(background);
}
