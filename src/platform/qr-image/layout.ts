import type { QrCodeDesign } from './design.schemas.ts';
import { getMinImageSize, MIN_PIXELS_PER_MODULE } from './image-size.rules.ts';
import type { SymbolMatrix } from './matrix.ts';
import { createNotScannableError } from './not-scannable-error.ts';

/** Modules a side: the middle of the smallest symbol has no room for more. */
const MIN_LOGO_FIELD_MODULES = 3;

/** Where everything is, in pixels unless it says modules. */
export interface SymbolLayout {
  /** Width and height of the image. */
  size: number;
  /** Width and height of a module. */
  module: number;
  /** Left and upper edge of the symbol; what whole modules leave over makes the margin wider. */
  offset: number;
  /** The square in the middle that is kept free for a logo, in modules from the symbol's edge; null without a logo. */
  logoField: SquareField | null;
}

/** A square in the middle of the symbol. */
export interface SquareField {
  start: number;
  side: number;
}

/** Divides the image into whole modules. Throws IMAGE_NOT_SCANNABLE where they would be too small. */
export function createSymbolLayout(matrix: SymbolMatrix, design: QrCodeDesign): SymbolLayout {
  const minSize = getMinImageSize(matrix.size, design.margin);
  if (design.size < minSize)
    throw createNotScannableError(
      `The content is too dense for ${design.size} px: at ${MIN_PIXELS_PER_MODULE} px a module, the least that scans, it needs ${minSize} px.`,
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

/** Whether a module is drawn: dark, and not in the field of the logo. */
export function isModuleDrawn(
  matrix: SymbolMatrix,
  layout: SymbolLayout,
  row: number,
  column: number,
): boolean {
  if (matrix.modules[row * matrix.size + column] !== 1) return false;
  return layout.logoField === null || !isWithinField(layout.logoField, row, column);
}

/** Whether a module lies in a field. */
export function isWithinField({ start, side }: SquareField, row: number, column: number): boolean {
  return Math.min(row, column) >= start && Math.max(row, column) < start + side;
}

/** The drawn modules as horizontal bars, in modules: far fewer shapes than squares. */
export function* generateBars(
  matrix: SymbolMatrix,
  layout: SymbolLayout,
): Generator<{ row: number; column: number; length: number }> {
  for (let row = 0; row < matrix.size; row += 1) {
    let length = 0;
    for (let column = 0; column <= matrix.size; column += 1) {
      if (column < matrix.size && isModuleDrawn(matrix, layout, row, column)) length += 1;
      else if (length > 0) {
        yield { row, column: column - length, length };
        length = 0;
      }
    }
  }
}

/** The square for the picture itself, in pixels: the field less a quiet border of half a module on each side. */
export function getLogoBox(layout: SymbolLayout): SquareField | null {
  if (layout.logoField === null) return null;
  const border = Math.ceil(layout.module / 2);
  return {
    start: layout.offset + layout.logoField.start * layout.module + border,
    side: layout.logoField.side * layout.module - 2 * border,
  };
}

/**
 * An odd number of modules, as a symbol's side is, so that the field is in the middle of the grid; never over a pattern
 * that scanners need.
 */
function createLogoField(matrix: SymbolMatrix, design: QrCodeDesign): SquareField {
  const maxSide = Math.floor((matrix.size * design.logoSize) / 100);
  let start = (matrix.size - MIN_LOGO_FIELD_MODULES) / 2;
  while (matrix.size - 2 * (start - 1) <= maxSide && isEdgeFree(matrix, start - 1)) start -= 1;
  return { start, side: matrix.size - 2 * start };
}

/** Whether no pattern lies on the edge of the square that begins so many modules from the symbol's edge. */
function isEdgeFree(matrix: SymbolMatrix, start: number): boolean {
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
