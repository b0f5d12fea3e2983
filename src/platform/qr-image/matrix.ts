import { create, type QRCodeSegment } from 'qrcode';
import type { QrCodeDesign } from './design.schemas.ts';
import { createNotScannableError } from './not-scannable-error.ts';

/** The squares of a symbol: `size` a side, row by row. */
export interface SymbolMatrix {
  size: number;
  /** 1 where a module is dark. */
  modules: Uint8Array;
  /** 1 where a module belongs to a pattern that scanners find their way by, not to the content. */
  patterns: Uint8Array;
}

type ErrorCorrection = QrCodeDesign['errorCorrection'];

/** Bytes that fit into the largest symbol, version 40, by error correction (ISO/IEC 18004, table 7). */
const CAPACITY_BYTES: Readonly<Record<ErrorCorrection, number>> = { L: 2953, M: 2331, Q: 1663, H: 1273 };

/** The same for version 34, the largest without an alignment pattern in the middle. */
const CAPACITY_WITH_LOGO_BYTES: Readonly<Record<ErrorCorrection, number>> = {
  L: 2188,
  M: 1722,
  Q: 1228,
  H: 958,
};

/** The announcement of UTF-8 has 12 bits, four of which the largest symbols have to spare. */
const ECI_HEADER_BYTES = 1;

/**
 * Extended channel interpretation 26, UTF-8: mode indicator 0111, then eight bits of designator. `qrcode` writes a
 * segment as mode, count and data, so a segment of that mode with the "count" 26 and no data is exactly that.
 */
const UTF8_ECI_SEGMENT = {
  mode: { id: 'ECI', bit: 0b0111, ccBits: [8, 8, 8] },
  getLength: () => 26,
  getBitsLength: () => 0,
  write: () => undefined,
};

/** Whether the content fits into the largest symbol of this error correction, beside a logo or without one. */
export function canFitSymbol(content: string, errorCorrection: ErrorCorrection, hasLogo: boolean): boolean {
  const capacity = hasLogo ? CAPACITY_WITH_LOGO_BYTES : CAPACITY_BYTES;
  const eciHeaderBytes = isAscii(content) ? 0 : ECI_HEADER_BYTES;
  return Buffer.byteLength(content) + eciHeaderBytes <= capacity[errorCorrection];
}

/**
 * The symbol for a content, as small as it can be; with a logo, as small as it can be without an alignment
 * pattern in the middle: under a logo zbar takes something else for that pattern and reads nothing.
 * Text beyond ASCII is announced as UTF-8: without that zbar and older scanners guess, and read `Größe` or `犬` as Big5
 * or Shift JIS.
 * Throws IMAGE_NOT_SCANNABLE where the content is too long.
 */
export function createSymbolMatrix(
  content: string,
  errorCorrection: ErrorCorrection,
  hasLogo: boolean,
): SymbolMatrix {
  if (!canFitSymbol(content, errorCorrection, hasLogo))
    throw createTooLongError(content, errorCorrection, hasLogo);
  const segments = () => (isAscii(content) ? [{ data: content }] : createUtf8Segments(content));
  const smallest = create(segments(), { errorCorrectionLevel: errorCorrection });
  const version = hasLogo ? getVersionForLogo(smallest.version) : smallest.version;
  const { modules } =
    version === smallest.version
      ? smallest
      : create(segments(), { errorCorrectionLevel: errorCorrection, version });
  return {
    size: modules.size,
    modules: Uint8Array.from(modules.data),
    patterns: Uint8Array.from(modules.reservedBit),
  };
}

/** The next version without an alignment pattern in the middle: one with an even number of them a side (annex E). */
function getVersionForLogo(version: number): number {
  const perSide = Math.floor(version / 7) + 2;
  return perSide % 2 === 1 ? (perSide - 1) * 7 : version;
}

function createTooLongError(content: string, errorCorrection: ErrorCorrection, hasLogo: boolean) {
  const [capacity, beside] = hasLogo ? [CAPACITY_WITH_LOGO_BYTES, ' beside a logo'] : [CAPACITY_BYTES, ''];
  const detail = `The content has ${Buffer.byteLength(content)} bytes as UTF-8; with error correction ${errorCorrection} a code holds at most ${capacity[errorCorrection]}${beside}.`;
  return createNotScannableError(detail, hasLogo ? ['data', 'design.logo'] : ['data'], 'TOO_LONG');
}

/**
 * `qrcode` has no way to announce an encoding: it turns what it is given into segments with `reduce`, so that is where
 * the announcement joins them. Its version is pinned, and every image is read back before it is used.
 */
function createUtf8Segments(content: string): QRCodeSegment[] {
  const bytes: QRCodeSegment[] = [{ data: Buffer.from(content), mode: 'byte' }];
  const segments = [...bytes];
  Object.defineProperty(segments, 'reduce', {
    value: (toSegment: (made: unknown[], segment: QRCodeSegment) => unknown[]) => [
      UTF8_ECI_SEGMENT,
      ...bytes.reduce(toSegment, []),
    ],
  });
  return segments;
}

function isAscii(content: string): boolean {
  return Buffer.byteLength(content) === content.length;
}
