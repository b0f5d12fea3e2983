import type { PictureType } from './picture-types.rules.ts';

export const MAX_ORIGINAL_PICTURE_PIXELS = 50_000_000;
export const MAX_PROFILE_PICTURE_PIXELS = 40_000_000;

/**
 * Maximum pixels by type, whatever the purpose. AVIF is decoded whole, at 20 bytes per pixel. HEIC takes 1.5 s for 12
 * million; phones take pictures of up to 24 million by default.
 */
export const MAX_PIXELS_BY_PICTURE_TYPE: Readonly<Record<PictureType, number>> = {
  jpeg: 50_000_000,
  png: 50_000_000,
  webp: 50_000_000,
  gif: 50_000_000,
  avif: 20_000_000,
  heic: 25_000_000,
};

/** Encoders make ten scans of a progressive JPEG; a hundred of the largest take one second. */
export const MAX_JPEG_SCANS = 100;

/** Measured maximum bytes per pixel; little where decoders read line by line. */
const BYTES_PER_PIXEL: Readonly<Record<PictureType, { inLines: number; whole: number }>> = {
  jpeg: { inLines: 3, whole: 8 },
  png: { inLines: 3, whole: 6 },
  webp: { inLines: 4, whole: 4 },
  gif: { inLines: 6, whole: 6 },
  avif: { inLines: 20, whole: 20 },
  heic: { inLines: 12, whole: 12 },
};

/** Estimate the memory for decoding; progressive and interlaced pictures are decoded whole. */
export function estimateDecodingBytes(
  type: PictureType,
  pixels: number,
  { isProgressive }: { isProgressive?: boolean },
): number {
  return pixels * BYTES_PER_PIXEL[type][isProgressive ? 'whole' : 'inLines'];
}
