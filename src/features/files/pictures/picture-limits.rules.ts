import type { PictureType } from './picture-types.rules.ts';

/** Pixels that a picture of each type may have; AVIF is decoded whole, into twenty bytes a pixel. */
export const MAX_PIXELS: Readonly<Record<PictureType, number>> = {
  jpeg: 50_000_000,
  png: 50_000_000,
  webp: 50_000_000,
  gif: 50_000_000,
  avif: 20_000_000,
};

/** Scans that a JPEG may have: encoders make ten of a progressive one, and a hundred of the largest take a second. */
export const MAX_JPEG_SCANS = 100;

/** Bytes that the decoders were seen to take for a pixel, at most: little where they decode line by line. */
const BYTES_PER_PIXEL: Readonly<Record<PictureType, { inLines: number; whole: number }>> = {
  jpeg: { inLines: 3, whole: 8 },
  png: { inLines: 3, whole: 6 },
  webp: { inLines: 4, whole: 4 },
  gif: { inLines: 6, whole: 6 },
  avif: { inLines: 20, whole: 20 },
};

/** About how much memory a picture takes to be decoded; a progressive or interlaced one is decoded whole. */
export function estimateDecodingBytes(
  type: PictureType,
  pixels: number,
  { isProgressive }: { isProgressive?: boolean },
): number {
  return pixels * BYTES_PER_PIXEL[type][isProgressive ? 'whole' : 'inLines'];
}
