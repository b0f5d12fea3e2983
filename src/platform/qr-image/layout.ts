import type { QrCodeDesign } from './design.schemas.ts';
import { getMinQrImageSize, MIN_PIXELS_PER_QR_MODULE } from './image-size.rules.ts';
import type { QrSymbolMatrix } from './matrix.ts';
import { createImageNotScannableError } from './not-scannable-error.ts';

/** The center of the smallest symbol has no space for more. */
const MIN_LOGO_FIELD_MODULES = 3;

export interface QrSymbolLayout {
  size: number;
  module: number;
  /** Left and top edge of the symbol; the remainder of whole modules widens the margin. */
  offset: number;
  logoField: SquareArea | null;
}

export interface SquareArea {
  start: number;
  side: number;
}

/** Divide the image into whole modules. @throws IMAGE_NOT_SCANNABLE when they are too small */
export function createQrSymbolLayout(matrix: QrSymbolMatrix, design: QrCodeDesign): QrSymbolLayout {
  const minSize = getMinQrImageSize(matrix.size, design.margin);
  if (design.size < minSize)
    throw createImageNotScannableError(
      `The content is too dense for ${design.size} px: at ${MIN_PIXELS_PER_QR_MODULE} px per module, the scannable minimum, it needs ${minSize} px.`,
      ['design.size'],
      'TOO_SMALL',
    );
  const module = Math.floor(design.size / (matrix.size + 2 * design.margin));
  const offset = Math.floor((design.size - matrix.size * module) / 2);
  return {
    size: design.size,
    module,
    offset,
    logoField: design.logo ? createLogoField(matrix, design) : null,
  };
}

export function isQrModuleDrawn(
  matrix: QrSymbolMatrix,
  layout: QrSymbolLayout,
  row: number,
  column: number,
): boolean {
  if (matrix.modules[row * matrix.size + column] !== 1) return false;
  return layout.logoField === null || !isWithinSquareArea(layout.logoField, row, column);
}

export function isWithinSquareArea({ start, side }: SquareArea, row: number, column: number): boolean {
  return Math.min(row, column) >= start && Math.max(row, column) < start + side;
}

/** Generate the drawn modules as horizontal bars, which are far fewer shapes than squares. */
export function* generateBars(
  matrix: QrSymbolMatrix,
  layout: QrSymbolLayout,
): Generator<{ row: number; column: number; length: number }> {
  for (let row = 0; row < matrix.size; row += 1) {
    let length = 0;
    for (let column = 0; column <= matrix.size; column += 1) {
      if (column < matrix.size && isQrModuleDrawn(matrix, layout, row, column)) length += 1;
      else if (length > 0) {
        yield { row, column: column - length, length };
        length = 0;
      }
    }
  }
}

export function getLogoPixelArea(layout: QrSymbolLayout): SquareArea | null {
  if (layout.logoField === null) return null;
  const border = Math.ceil(layout.module / 2);
  return {
    start: layout.offset + layout.logoField.start * layout.module + border,
    side: layout.logoField.side * layout.module - 2 * border,
  };
}

/** An odd number of modules, like the symbol, to be centered on the grid; never over a function pattern. */
function createLogoField(matrix: QrSymbolMatrix, design: QrCodeDesign): SquareArea {
  const maxSide = Math.floor((matrix.size * design.logoSize) / 100);
  let start = (matrix.size - MIN_LOGO_FIELD_MODULES) / 2;
  while (matrix.size - 2 * (start - 1) <= maxSide && isEdgeFree(matrix, start - 1)) start -= 1;
  return { start, side: matrix.size - 2 * start };
}

function isEdgeFree(matrix: QrSymbolMatrix, start: number): boolean {
  const end = matrix.size - 1 - start;
  for (let at = start; at <= end; at += 1)
    for (const [row, column] of [
      [start, at],
      [end, at],
      [at, start],
      [at, end],
    ] as const)
      if (matrix.patterns[row * matrix.size + column] === 1) return false;
  return true;
}
