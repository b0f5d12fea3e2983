import { toPoints } from '../../../platform/pdf/pdf-units.ts';
import { createQrSymbolMatrix, isWithinQrCapacity } from '../../../platform/qr-image/matrix.ts';
import type { LabelGrid } from './label-templates.ts';

export const ERROR_CORRECTION_LEVELS = ['L', 'M', 'Q', 'H'] as const;
export type ErrorCorrection = (typeof ERROR_CORRECTION_LEVELS)[number];

/** Three dots of a label printer with 300 dpi; phones read it from a hand's breadth. */
export const MIN_MODULE_MILLIMETERS = 0.25;

/** Quiet zone on each side (ISO/IEC 18004). */
export const QUIET_ZONE_MODULES = 4;

/** Labels that are wider than this, for their height, have texts beside the symbol. */
const MIN_RATIO_WITH_TEXTS_BESIDE = 1.4;

const MIN_TEXT_WIDTH_MILLIMETERS = 9;
const TEXT_MARGIN_MILLIMETERS = 1.2;
const MAX_SYMBOL_MILLIMETERS = 80;

export const MIN_FONT_POINTS = 5;
/** With the gap to the next line. */
const MIN_LINE_POINTS = MIN_FONT_POINTS * 1.2;

/** Millimeters within a label. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface LabelLayout {
  /** The symbol with its quiet zone. */
  symbol: { x: number; y: number; side: number; module: number };
  texts: (Box & { align: 'start' | 'center' }) | null;
}

/**
 * Divide a label between a symbol and lines of text. Texts yield to the symbol: there are fewer of them, or none, where
 * they leave it no space. Null if the label is too small for the symbol.
 * @param modules of the symbol, without its quiet zone
 */
export function createLabelLayout(
  { width, height, shape }: Pick<LabelGrid, 'width' | 'height' | 'shape'>,
  modules: number,
  textLines: number,
): LabelLayout | null {
  const box = shape === 'ROUND' ? getInscribedSquare(width, height) : { x: 0, y: 0, width, height };
  const total = modules + 2 * QUIET_ZONE_MODULES;
  const minSide = total * MIN_MODULE_MILLIMETERS;
  const shortSide = Math.min(box.width, box.height);
  if (shortSide < minSide) return null;
  const withTexts =
    textLines > 0 &&
    (box.width >= box.height * MIN_RATIO_WITH_TEXTS_BESIDE
      ? layOutBeside(box, { total, minSide })
      : layOutBelow(box, { total, minSide }, textLines));
  if (withTexts) return withTexts;
  const side = Math.min(shortSide, MAX_SYMBOL_MILLIMETERS);
  const x = box.x + (box.width - side) / 2;
  const y = box.y + (box.height - side) / 2;
  return { symbol: { x, y, side, module: side / total }, texts: null };
}

/** Null if not one line fits. */
function toTextBox(box: Box, align: 'start' | 'center'): LabelLayout['texts'] {
  const isTooSmall = box.width < MIN_TEXT_WIDTH_MILLIMETERS - 0.01 || toPoints(box.height) < MIN_LINE_POINTS;
  return isTooSmall ? null : { ...box, align };
}

interface SymbolSize {
  total: number;
  minSide: number;
}

function layOutBeside(box: Box, { total, minSide }: SymbolSize): LabelLayout | null {
  const side = Math.min(box.height, MAX_SYMBOL_MILLIMETERS, Math.max(minSide, box.width / 2));
  const textBox = {
    x: box.x + side,
    y: box.y + TEXT_MARGIN_MILLIMETERS,
    width: box.width - side - TEXT_MARGIN_MILLIMETERS,
    height: box.height - 2 * TEXT_MARGIN_MILLIMETERS,
  };
  const texts = toTextBox(textBox, 'start');
  const y = box.y + (box.height - side) / 2;
  return texts && { symbol: { x: box.x, y, side, module: side / total }, texts };
}

function layOutBelow(box: Box, { total, minSide }: SymbolSize, lines: number): LabelLayout | null {
  const lineHeight = MIN_LINE_POINTS / toPoints(1);
  const available = box.height - minSide - TEXT_MARGIN_MILLIMETERS;
  const wanted = Math.min(lines * lineHeight * 1.5, box.height * 0.4);
  const height = Math.max(Math.min(wanted, available), box.height - box.width - TEXT_MARGIN_MILLIMETERS);
  const side = Math.min(box.width, box.height - height - TEXT_MARGIN_MILLIMETERS, MAX_SYMBOL_MILLIMETERS);
  const textBox = {
    x: box.x + TEXT_MARGIN_MILLIMETERS,
    y: box.y + side,
    width: box.width - 2 * TEXT_MARGIN_MILLIMETERS,
    height: box.height - side - TEXT_MARGIN_MILLIMETERS,
  };
  const texts = side < minSide ? null : toTextBox(textBox, 'center');
  const x = box.x + (box.width - side) / 2;
  return texts && { symbol: { x, y: box.y, side, module: side / total }, texts };
}

function getInscribedSquare(width: number, height: number): Box {
  const side = Math.min(width, height) / Math.SQRT2;
  return { x: (width - side) / 2, y: (height - side) / 2, width: side, height: side };
}

export interface LabelSymbol {
  size: number;
  modules: Uint8Array;
}

/**
 * Create the symbol of a content and its place on a label. Without a level it is M, or L where only that fits. Null if
 * the label is too small.
 */
export function placeLabelSymbol(
  grid: Pick<LabelGrid, 'width' | 'height' | 'shape'>,
  content: string,
  errorCorrection: ErrorCorrection | undefined,
  textLines: number,
): { symbol: LabelSymbol; layout: LabelLayout } | null {
  for (const level of errorCorrection ? [errorCorrection] : (['M', 'L'] as const)) {
    if (!isWithinQrCapacity(content, level, false)) continue;
    const symbol = createQrSymbolMatrix(content, level, false);
    const layout = createLabelLayout(grid, symbol.size, textLines);
    if (layout) return { symbol, layout };
  }
  return null;
}

/** Count the lines that texts may take. */
export function countTextLines(texts: readonly { isTitle?: boolean }[]): number {
  return texts.length + texts.filter(({ isTitle }) => isTitle).length;
}
