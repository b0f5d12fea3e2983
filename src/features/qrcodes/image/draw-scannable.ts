import sharp from 'sharp';
import { assertColors } from './color.rules.ts';
import { readsAs } from './decode-image.ts';
import { completeDesign } from './design.rules.ts';
import type { Adjustment, Design, DesignInput } from './design.schemas.ts';
import { drawPng } from './draw-png.ts';
import { leastSize } from './image-size.rules.ts';
import { type Field, isWithin, layoutOf } from './layout.ts';
import { cleanLogo } from './logo.ts';
import { fits, type Matrix, matrixOf } from './matrix.ts';
import { notScannable } from './not-scannable.ts';

/** An image that was read back. */
export interface CheckedImage {
  png: Buffer;
  /** The design as drawn: complete, its logo written again. */
  design: Design;
  /** What had to be changed so that it scans; empty where nothing was. */
  adjusted: Adjustment[];
}

const LEAST_LOGO_SIZE = 10;

const LOGO_STEP = 5;

/**
 * Draws an image and reads it back before anybody prints it. Where the client left them open, error correction goes
 * down to L and the size grows as far as the content needs; under a logo that hides too much, error correction goes up
 * to H and the logo shrinks.
 * Throws VALIDATION_FAILED for a logo that is no picture, IMAGE_NOT_SCANNABLE with the reason for everything else
 * that would not scan: colours, too much content, too small a size, a logo that hides too much even at its smallest.
 */
export async function drawScannable(content: string, given: DesignInput = {}): Promise<CheckedImage> {
  const asked = completeDesign(given);
  assertColors(asked);
  const logo = given.logo === undefined ? undefined : await cleanLogo(given.logo);
  for (const design of attempts(content, given, logo === undefined ? asked : { ...asked, logo })) {
    const matrix = matrixOf(content, design.errorCorrection, design.logo !== undefined);
    const png = await drawPng(matrix, design);
    if (await scans(matrix, png, content, design))
      return { png, design, adjusted: adjustments(asked, design) };
  }
  throw logo === undefined
    ? notScannable('The drawn image could not be read back.', ['design'], 'NOT_READABLE')
    : notScannable(
        'The logo hides too much of the code, even at its smallest with error correction H.',
        ['design.logo'],
        'NOT_READABLE',
      );
}

/** The designs to try, the one that was asked for first. */
function* attempts(content: string, given: DesignInput, asked: Design): Generator<Design> {
  const first = withRoom(content, given, asked);
  yield first;
  if (first.logo === undefined) return;
  const strong = strongest(content, given, first);
  if (strong.errorCorrection !== first.errorCorrection) yield strong;
  for (let logoSize = strong.logoSize - LOGO_STEP; logoSize >= LEAST_LOGO_SIZE; logoSize -= LOGO_STEP)
    yield { ...strong, logoSize };
}

/** Makes room for the content where the client left error correction or size open. */
function withRoom(content: string, given: DesignInput, asked: Design): Design {
  const lowest =
    given.errorCorrection === undefined && !fits(content, asked.errorCorrection, asked.logo !== undefined);
  const errorCorrection = lowest ? 'L' : asked.errorCorrection;
  if (given.size !== undefined) return { ...asked, errorCorrection };
  const least = leastSize(matrixOf(content, errorCorrection, asked.logo !== undefined).size, asked.margin);
  return { ...asked, errorCorrection, size: Math.max(asked.size, least) };
}

/** The highest error correction that content and size leave room for. */
function strongest(content: string, given: DesignInput, design: Design): Design {
  const levels: readonly Design['errorCorrection'][] = ['H', 'Q', 'M', 'L'];
  for (const errorCorrection of levels) {
    if (errorCorrection === design.errorCorrection) break;
    if (!fits(content, errorCorrection, true)) continue;
    const least = leastSize(matrixOf(content, errorCorrection, true).size, design.margin);
    if (least <= design.size) return { ...design, errorCorrection };
    if (given.size === undefined) return { ...design, errorCorrection, size: least };
  }
  return design;
}

/**
 * Reads the image as it is and, with a logo, once more with a ring around the logo wiped out and blurred by a third of
 * a module: zxing reads a symbol whose last reserve is used up by the logo, zbar and a phone before paper do not.
 */
async function scans(matrix: Matrix, png: Buffer, content: string, design: Design): Promise<boolean> {
  if (!(await readsAs(png, content))) return false;
  const { module, logoField } = layoutOf(matrix, design);
  if (logoField === null) return true;
  const worn = await drawPng(wiped(matrix, { start: logoField.start - 1, side: logoField.side + 2 }), design);
  return readsAs(
    await sharp(worn)
      .blur(Math.max(0.5, module / 3))
      .png()
      .toBuffer(),
    content,
  );
}

function wiped(matrix: Matrix, field: Field): Matrix {
  const left = (dark: number, at: number) =>
    isWithin(field, Math.floor(at / matrix.size), at % matrix.size) ? 0 : dark;
  return { ...matrix, modules: matrix.modules.map(left) };
}

function adjustments(asked: Design, drawn: Design): Adjustment[] {
  const fields = ['errorCorrection', 'size', 'logoSize'] as const;
  return fields
    .filter((field) => asked[field] !== drawn[field])
    .map((field) => ({ field, from: asked[field], to: drawn[field] }));
}
