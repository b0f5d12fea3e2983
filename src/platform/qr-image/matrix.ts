import { create, type QRCodeSegment } from 'qrcode';
import type { QrCodeDesign } from './design.schemas.ts';
import { createImageNotScannableError } from './not-scannable-error.ts';

export interface QrSymbolMatrix {
  size: number;
  modules: Uint8Array;
  patterns: Uint8Array;
}

type ErrorCorrection = QrCodeDesign['errorCorrection'];

/** Capacity of version 40 in bytes (ISO/IEC 18004, table 7). */
const CAPACITY_BYTES: Readonly<Record<ErrorCorrection, number>> = { L: 2953, M: 2331, Q: 1663, H: 1273 };

/** Version 34, the largest without an alignment pattern in the center. */
const CAPACITY_WITH_LOGO_BYTES: Readonly<Record<ErrorCorrection, number>> = {
  L: 2188,
  M: 1722,
  Q: 1228,
  H: 958,
};

/** The ECI header has 12 bits, of which the largest symbols have 4 unused. */
const ECI_HEADER_BYTES = 1;

/** ECI 26, UTF-8: mode 0111, then an 8-bit designator, which `qrcode` writes as a count of 26 without data. */
const UTF8_ECI_SEGMENT = {
  mode: { id: 'ECI', bit: 0b0111, ccBits: [8, 8, 8] },
  getLength: () => 26,
  getBitsLength: () => 0,
  write: () => undefined,
};

export function isWithinQrCapacity(
  content: string,
  errorCorrection: ErrorCorrection,
  hasLogo: boolean,
): boolean {
  const capacity = hasLogo ? CAPACITY_WITH_LOGO_BYTES : CAPACITY_BYTES;
  const eciHeaderBytes = isAscii(content) ? 0 : ECI_HEADER_BYTES;
  return Buffer.byteLength(content) + eciHeaderBytes <= capacity[errorCorrection];
}

/**
 * Create the smallest symbol; with a logo, one without a central alignment pattern, which zbar would misdetect.
 * Without its UTF-8 ECI, zbar and older scanners read `Größe` or `犬` as Big5 or Shift JIS.
 * @throws IMAGE_NOT_SCANNABLE when the content is too long
 */
export function createQrSymbolMatrix(
  content: string,
  errorCorrection: ErrorCorrection,
  hasLogo: boolean,
): QrSymbolMatrix {
  if (!isWithinQrCapacity(content, errorCorrection, hasLogo))
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

/** Describe what decides about the modules of a symbol beside its design: the encoding and the length. */
export function describeQrContentShape(content: string): string {
  if (!isAscii(content)) return `utf-8 ${Buffer.byteLength(content)}`;
  // `qrcode` packs digits, and the alphanumeric set of ISO/IEC 18004, more tightly.
  if (/^\d*$/.test(content)) return `numeric ${content.length}`;
  if (/^[0-9A-Z $%*+\-./:]*$/.test(content)) return `alphanumeric ${content.length}`;
  return `byte ${content.length}`;
}

/** Versions with an even number of alignment patterns a side have none in the center (ISO/IEC 18004, annex E). */
function getVersionForLogo(version: number): number {
  const perSide = Math.floor(version / 7) + 2;
  return perSide % 2 === 1 ? (perSide - 1) * 7 : version;
}

function createTooLongError(content: string, errorCorrection: ErrorCorrection, hasLogo: boolean) {
  const [capacity, beside] = hasLogo ? [CAPACITY_WITH_LOGO_BYTES, ' beside a logo'] : [CAPACITY_BYTES, ''];
  const detail = `The content has ${Buffer.byteLength(content)} bytes as UTF-8; with error correction ${errorCorrection} a code holds at most ${capacity[errorCorrection]}${beside}.`;
  return createImageNotScannableError(detail, hasLogo ? ['data', 'design.logo'] : ['data'], 'TOO_LONG');
}

/** `qrcode` has no API for ECI: an own `reduce` adds it. The version is pinned, and each image is read back. */
function createUtf8Segments(content: string): QRCodeSegment[] {
  const bytes: QRCodeSegment[] = [{ data: Buffer.from(content), mode: 'byte' }];
  const segments = [...bytes];
  Object.defineProperty(segments, 'reduce', {
    value: (toSegment: (segments: unknown[], segment: QRCodeSegment) => unknown[]) => [
      UTF8_ECI_SEGMENT,
      ...bytes.reduce(toSegment, []),
    ],
  });
  return segments;
}

function isAscii(content: string): boolean {
  return Buffer.byteLength(content) === content.length;
}
