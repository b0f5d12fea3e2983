import sharp from 'sharp';
import { assertScannableColors } from './color.rules.ts';
import { isDecodableAs } from './decode-image.ts';
import { completeDesign } from './design.rules.ts';
import type { DesignAdjustment, QrCodeDesign, QrCodeDesignInput } from './design.schemas.ts';
import { drawPng } from './draw-png.ts';
import { getMinImageSize } from './image-size.rules.ts';
import { createSymbolLayout, isWithinField, type SquareField } from './layout.ts';
import { sanitizeLogo } from './logo.ts';
import { canFitSymbol, createSymbolMatrix, type SymbolMatrix } from './matrix.ts';
import { createNotScannableError } from './not-scannable-error.ts';

/** An image that was read back. */
export interface ScannableImage {
  png: Buffer;
  /** The design as drawn: complete, its logo written again. */
  design: QrCodeDesign;
  /** What had to be changed so that it scans; empty where nothing was. */
  adjusted: DesignAdjustment[];
}

const MIN_LOGO_SIZE_PERCENT = 10;

const LOGO_STEP_PERCENT = 5;

/**
 * Draws an image and reads it back before anybody prints it. Where the client left them open, error correction goes
 * down to L and the size grows as far as the content needs; under a logo that hides too much, error correction goes up
 * to H and the logo shrinks.
 * Throws VALIDATION_FAILED for a logo that is no picture, IMAGE_NOT_SCANNABLE with the reason for everything else
 * that would not scan: colours, too much content, too small a size, a logo that hides too much even at its smallest.
 */
export async function drawScannable(content: string, input: QrCodeDesignInput = {}): Promise<ScannableImage> {
  const requested = completeDesign(input);
  assertScannableColors(requested);
  const logo = input.logo === undefined ? undefined : await sanitizeLogo(input.logo);
  for (const design of generateAttempts(
    content,
    input,
    logo === undefined ? requested : { ...requested, logo },
  )) {
    const matrix = createSymbolMatrix(content, design.errorCorrection, design.logo !== undefined);
    const png = await drawPng(matrix, design);
    if (await isScannable(matrix, png, content, design))
      return { png, design, adjusted: listAdjustments(requested, design) };
  }
  throw logo === undefined
    ? createNotScannableError('The drawn image could not be read back.', ['design'], 'NOT_READABLE')
    : createNotScannableError(
        'The logo hides too much of the code, even at its smallest with error correction H.',
        ['design.logo'],
        'NOT_READABLE',
      );
}

/** The designs to try, the one that was asked for first. */
function* generateAttempts(
  content: string,
  input: QrCodeDesignInput,
  requested: QrCodeDesign,
): Generator<QrCodeDesign> {
  const first = adaptToContent(content, input, requested);
  yield first;
  if (first.logo === undefined) return;
  const strong = maximizeErrorCorrection(content, input, first);
  if (strong.errorCorrection !== first.errorCorrection) yield strong;
  for (
    let logoSize = strong.logoSize - LOGO_STEP_PERCENT;
    logoSize >= MIN_LOGO_SIZE_PERCENT;
    logoSize -= LOGO_STEP_PERCENT
  )
    yield { ...strong, logoSize };
}

/** Makes room for the content where the client left error correction or size open. */
function adaptToContent(content: string, input: QrCodeDesignInput, requested: QrCodeDesign): QrCodeDesign {
  const lowest =
    input.errorCorrection === undefined &&
    !canFitSymbol(content, requested.errorCorrection, requested.logo !== undefined);
  const errorCorrection = lowest ? 'L' : requested.errorCorrection;
  if (input.size !== undefined) return { ...requested, errorCorrection };
  const minSize = getMinImageSize(
    createSymbolMatrix(content, errorCorrection, requested.logo !== undefined).size,
    requested.margin,
  );
  return { ...requested, errorCorrection, size: Math.max(requested.size, minSize) };
}

/** The highest error correction that content and size leave room for. */
function maximizeErrorCorrection(
  content: string,
  input: QrCodeDesignInput,
  design: QrCodeDesign,
): QrCodeDesign {
  const levels: readonly QrCodeDesign['errorCorrection'][] = ['H', 'Q', 'M', 'L'];
  for (const errorCorrection of levels) {
    if (errorCorrection === design.errorCorrection) break;
    if (!canFitSymbol(content, errorCorrection, true)) continue;
    const minSize = getMinImageSize(createSymbolMatrix(content, errorCorrection, true).size, design.margin);
    if (minSize <= design.size) return { ...design, errorCorrection };
    if (input.size === undefined) return { ...design, errorCorrection, size: minSize };
  }
  return design;
}

/**
 * Reads the image as it is and, with a logo, once more with a ring around the logo wiped out and blurred by a third of
 * a module: zxing reads a symbol whose last reserve is used up by the logo, zbar and a phone before paper do not.
 */
async function isScannable(
  matrix: SymbolMatrix,
  png: Buffer,
  content: string,
  design: QrCodeDesign,
): Promise<boolean> {
  if (!(await isDecodableAs(png, content))) return false;
  const { module, logoField } = createSymbolLayout(matrix, design);
  if (logoField === null) return true;
  const degraded = await drawPng(
    clearField(matrix, { start: logoField.start - 1, side: logoField.side + 2 }),
    design,
  );
  return isDecodableAs(
    await sharp(degraded)
      .blur(Math.max(0.5, module / 3))
      .png()
      .toBuffer(),
    content,
  );
}

function clearField(matrix: SymbolMatrix, field: SquareField): SymbolMatrix {
  const left = (dark: number, at: number) =>
    isWithinField(field, Math.floor(at / matrix.size), at % matrix.size) ? 0 : dark;
  return { ...matrix, modules: matrix.modules.map(left) };
}

function listAdjustments(requested: QrCodeDesign, drawn: QrCodeDesign): DesignAdjustment[] {
  const fields = ['errorCorrection', 'size', 'logoSize'] as const;
  return fields
    .filter((field) => requested[field] !== drawn[field])
    .map((field) => ({ field, from: requested[field], to: drawn[field] }));
}
