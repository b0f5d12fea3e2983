import type { PdfTextWriter } from '../../../platform/pdf/pdf-text-writer.ts';
import { toPoints } from '../../../platform/pdf/pdf-units.ts';
import { countLabelsPerPage, getLabelPosition } from './label-sheet.rules.ts';
import type { LabelGrid } from './label-templates.ts';

const MARK_MILLIMETERS = 3;
const MARK_GAP_MILLIMETERS = 0.5;
const HAIRLINE_POINTS = 0.25;
const MAX_RULER_MILLIMETERS = 100;

/** Draw short lines in the margins, at the edges of each column and row. */
export function drawCutMarks(document: PDFKit.PDFDocument, grid: LabelGrid, bleedMillimeters: number): void {
  const gap = MARK_GAP_MILLIMETERS + bleedMillimeters;
  const last = getLabelPosition(grid, countLabelsPerPage(grid) - 1);
  const line = (fromX: number, fromY: number, toX: number, toY: number) =>
    document.moveTo(toPoints(fromX), toPoints(fromY)).lineTo(toPoints(toX), toPoints(toY));
  const bottom = last.y + grid.height;
  const right = last.x + grid.width;
  for (let column = 0; column < grid.columns; column += 1)
    for (const x of [0, grid.width].map((edge) => grid.left + column * grid.pitchX + edge)) {
      line(x, grid.top - gap - MARK_MILLIMETERS, x, grid.top - gap);
      line(x, bottom + gap, x, bottom + gap + MARK_MILLIMETERS);
    }
  for (let row = 0; row < grid.rows; row += 1)
    for (const y of [0, grid.height].map((edge) => grid.top + row * grid.pitchY + edge)) {
      line(grid.left - gap - MARK_MILLIMETERS, y, grid.left - gap, y);
      line(right + gap, y, right + gap + MARK_MILLIMETERS, y);
    }
  document.lineWidth(HAIRLINE_POINTS).stroke('#000000');
}

/** Draw the outline and the number of each label, and two rulers: hold the print against a sheet, and measure it. */
export function drawCalibrationPage(
  document: PDFKit.PDFDocument,
  writer: Pick<PdfTextWriter, 'write'>,
  grid: LabelGrid,
): void {
  const cells = countLabelsPerPage(grid);
  for (let cell = 0; cell < cells; cell += 1) {
    const { x, y } = getLabelPosition(grid, cell);
    if (grid.shape === 'ROUND')
      document.circle(
        toPoints(x + grid.width / 2),
        toPoints(y + grid.height / 2),
        toPoints(Math.min(grid.width, grid.height) / 2),
      );
    else document.rect(toPoints(x), toPoints(y), toPoints(grid.width), toPoints(grid.height));
  }
  document.lineWidth(HAIRLINE_POINTS).stroke('#000000');
  for (let cell = 0; cell < cells; cell += 1) {
    const { x, y } = getLabelPosition(grid, cell);
    writer.write(String(cell + 1), {
      x: toPoints(x),
      y: toPoints(y + grid.height / 2) - 4,
      width: toPoints(grid.width),
      size: 7,
      color: '#000000',
      align: 'center',
    });
  }
  drawRulers(document, writer, grid);
}

function drawRulers(
  document: PDFKit.PDFDocument,
  writer: Pick<PdfTextWriter, 'write'>,
  { page }: LabelGrid,
): void {
  const length = Math.floor(Math.min(MAX_RULER_MILLIMETERS, page.width * 0.8, page.height * 0.8) / 10) * 10;
  if (length < 10) return;
  const left = (page.width - length) / 2;
  const top = (page.height - length) / 2;
  document.moveTo(toPoints(left), toPoints(top)).lineTo(toPoints(left + length), toPoints(top));
  document.moveTo(toPoints(left), toPoints(top)).lineTo(toPoints(left), toPoints(top + length));
  for (let millimeter = 0; millimeter <= length; millimeter += 10) {
    document
      .moveTo(toPoints(left + millimeter), toPoints(top))
      .lineTo(toPoints(left + millimeter), toPoints(top - 2));
    document
      .moveTo(toPoints(left), toPoints(top + millimeter))
      .lineTo(toPoints(left - 2), toPoints(top + millimeter));
  }
  document.lineWidth(0.75).stroke('#000000');
  const text = { width: toPoints(30), size: 8, color: '#000000', bold: true };
  writer.write(`${length} mm`, { ...text, x: toPoints(left + 2), y: toPoints(top + 1) });
}
