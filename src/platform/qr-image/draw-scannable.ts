import sharp from 'sharp';
import { assertScannableColors } from './color.rules.ts';
import { isQrCodeDecodableAs } from './decode-image.ts';
import { completeQrCodeDesign } from './design.rules.ts';
import type { QrCodeDesign, QrCodeDesignAdjustment, QrCodeDesignInput } from './design.schemas.ts';
import { drawQrCodePng } from './draw-png.ts';
import { getMinQrImageSize } from './image-size.rules.ts';
import { createQrSymbolLayout, isWithinSquareArea, type SquareArea } from './layout.ts';
import { sanitizeLogo } from './logo.ts';
import { createQrSymbolMatrix, isWithinQrCapacity, type QrSymbolMatrix } from './matrix.ts';
import { createImageNotScannableError } from './not-scannable-error.ts';

export interface ScannableQrImage {
  png: Buffer;
  design: QrCodeDesign;
  adjusted: QrCodeDesignAdjustment[];
}

const MIN_LOGO_SIZE_PERCENT = 10;

const LOGO_STEP_PERCENT = 5;

/** Draw an image that scans, adapting what `input` leaves open. @throws VALIDATION_FAILED, IMAGE_NOT_SCANNABLE */
export async function drawScannableQrImage(
  content: string,
  input: QrCodeDesignInput = {},
): Promise<ScannableQrImage> {
  const requested = completeQrCodeDesign(input);
  assertScannableColors(requested);
  const logo = input.logo === undefined ? undefined : await sanitizeLogo(input.logo);
  for (const design of generateAttempts(
    content,
    input,
    logo === undefined ? requested : { ...requested, logo },
  )) {
    const matrix = createQrSymbolMatrix(content, design.errorCorrection, design.logo !== undefined);
    const png = await drawQrCodePng(matrix, design);
    if (await isScannable(matrix, png, content, design))
      return { png, design, adjusted: listAdjustments(requested, design) };
  }
  throw logo === undefined
    ? createImageNotScannableError('The generated image could not be decoded.', ['design'], 'NOT_READABLE')
    : createImageNotScannableError(
        'The logo covers too much of the code, even at minimum size with error correction H.',
        ['design.logo'],
        'NOT_READABLE',
      );
}

/** Yields the requested design first. */
function* generateAttempts(
  content: string,
  input: QrCodeDesignInput,
  requested: QrCodeDesign,
): Generator<QrCodeDesign> {
  const first = adaptToContent(content, input, requested);
  yield first;
  if (first.logo === undefined) return;
  // A small logo costs less than a symbol with more modules, which fails first when it is small or blurred.
  const sameSize = raiseErrorCorrectionForFree(content, first);
  if (sameSize.errorCorrection !== first.errorCorrection) yield sameSize;
  yield* generateSmallerLogos(sameSize);
  const strongest = maximizeErrorCorrection(content, input, first);
  if (strongest.errorCorrection === sameSize.errorCorrection) return;
  yield strongest;
  yield* generateSmallerLogos(strongest);
}

function* generateSmallerLogos(design: QrCodeDesign): Generator<QrCodeDesign> {
  for (
    let logoSize = design.logoSize - LOGO_STEP_PERCENT;
    logoSize >= MIN_LOGO_SIZE_PERCENT;
    logoSize -= LOGO_STEP_PERCENT
  )
    yield { ...design, logoSize };
}

/** The strongest error correction that needs no more modules. */
function raiseErrorCorrectionForFree(content: string, design: QrCodeDesign): QrCodeDesign {
  const countModules = (errorCorrection: QrCodeDesign['errorCorrection']) =>
    createQrSymbolMatrix(content, errorCorrection, true).size;
  const modules = countModules(design.errorCorrection);
  const levels: readonly QrCodeDesign['errorCorrection'][] = ['H', 'Q', 'M', 'L'];
  const strongest = levels.find(
    (level) =>
      level === design.errorCorrection ||
      (isWithinQrCapacity(content, level, true) && countModules(level) === modules),
  );
  return { ...design, errorCorrection: strongest ?? design.errorCorrection };
}

function adaptToContent(content: string, input: QrCodeDesignInput, requested: QrCodeDesign): QrCodeDesign {
  const lowest =
    input.errorCorrection === undefined &&
    !isWithinQrCapacity(content, requested.errorCorrection, requested.logo !== undefined);
  const errorCorrection = lowest ? 'L' : requested.errorCorrection;
  if (input.size !== undefined) return { ...requested, errorCorrection };
  const minSize = getMinQrImageSize(
    createQrSymbolMatrix(content, errorCorrection, requested.logo !== undefined).size,
    requested.margin,
  );
  return { ...requested, errorCorrection, size: Math.max(requested.size, minSize) };
}

function maximizeErrorCorrection(
  content: string,
  input: QrCodeDesignInput,
  design: QrCodeDesign,
): QrCodeDesign {
  const levels: readonly QrCodeDesign['errorCorrection'][] = ['H', 'Q', 'M', 'L'];
  for (const errorCorrection of levels) {
    if (errorCorrection === design.errorCorrection) break;
    if (!isWithinQrCapacity(content, errorCorrection, true)) continue;
    const minSize = getMinQrImageSize(
      createQrSymbolMatrix(content, errorCorrection, true).size,
      design.margin,
    );
    if (minSize <= design.size) return { ...design, errorCorrection };
    if (input.size === undefined) return { ...design, errorCorrection, size: minSize };
  }
  return design;
}

/** Reads an image with a logo again, cleared and blurred: zbar and phones need some error correction left. */
async function isScannable(
  matrix: QrSymbolMatrix,
  png: Buffer,
  content: string,
  design: QrCodeDesign,
): Promise<boolean> {
  if (!(await isQrCodeDecodableAs(png, content))) return false;
  const { module, logoField } = createQrSymbolLayout(matrix, design);
  if (logoField === null) return true;
  const degraded = await drawQrCodePng(
    clearField(matrix, { start: logoField.start - 1, side: logoField.side + 2 }),
    design,
  );
  return isQrCodeDecodableAs(
    await sharp(degraded)
      .blur(Math.max(0.5, module / 3))
      .png()
      .toBuffer(),
    content,
  );
}

function clearField(matrix: QrSymbolMatrix, field: SquareArea): QrSymbolMatrix {
  const clearModule = (dark: number, at: number) =>
    isWithinSquareArea(field, Math.floor(at / matrix.size), at % matrix.size) ? 0 : dark;
  return { ...matrix, modules: matrix.modules.map(clearModule) };
}

function listAdjustments(requested: QrCodeDesign, drawn: QrCodeDesign): QrCodeDesignAdjustment[] {
  const fields = ['errorCorrection', 'size', 'logoSize'] as const;
  return fields
    .filter((field) => requested[field] !== drawn[field])
    .map((field) => ({ field, from: requested[field], to: drawn[field] }));
}
