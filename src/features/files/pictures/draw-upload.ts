import type { Metadata, Sharp } from 'sharp';
import { createConcurrencyLimiter } from '../../../shared/limiter.ts';
import { createImageDecoder, readPictureMetadata } from './decoders.ts';
import { countHeifPixels } from './heif-pixels.rules.ts';
import { countJpegScans } from './jpeg-scans.rules.ts';
import { estimateDecodingBytes, MAX_JPEG_SCANS, MAX_PIXELS_BY_PICTURE_TYPE } from './picture-limits.rules.ts';
import type { PictureType } from './picture-types.rules.ts';
import { isPolyglotFile } from './polyglot-file.rules.ts';

export type PictureUploadPurpose = 'ORIGINAL' | 'PROFILE_PICTURE' | 'DRAFT';

export interface PictureUploadTask {
  purpose: PictureUploadPurpose;
  bytes: Uint8Array;
  /** Detected by its signature. */
  type: PictureType;
  maxPixels: number;
}

export type PictureRejection =
  | { reason: 'NOT_A_PICTURE' | 'DAMAGED' }
  | { reason: 'TOO_MANY_PIXELS'; maxPixels: number };

/** Pixels of the longer edge; an original prints 35 cm at 300 dpi. */
const MAX_EDGE_PIXELS: Readonly<Record<PictureUploadPurpose, number>> = {
  ORIGINAL: 4_096,
  PROFILE_PICTURE: 1_024,
  DRAFT: 1_600,
};

/** A larger profile picture is a photo, which JPEG stores in a fifth. */
const MAX_PNG_BYTES = 500_000;

const NOT_A_PICTURE = { reason: 'NOT_A_PICTURE' } as const;

/** Redraw an upload: first frame, upright, sRGB, without metadata, at most as large as its purpose needs. */
export async function reencodeUploadedPicture(
  bytes: Buffer,
  { purpose, type, maxPixels }: PictureUploadTask,
) {
  if (isPolyglotFile(bytes)) return NOT_A_PICTURE;
  const limit = Math.min(maxPixels, MAX_PIXELS_BY_PICTURE_TYPE[type]);
  const tooManyPixels = { reason: 'TOO_MANY_PIXELS', maxPixels: limit } as const;
  try {
    if (type === 'heic') {
      if (countHeifPixels(bytes) > limit) return tooManyPixels;
      // Only this process and this type need the library.
      const { convertHeicToPng } = await import('./heic-decoder.ts');
      return await redraw(await convertHeicToPng(bytes, MAX_EDGE_PIXELS[purpose]), purpose, limit);
    }
    const head = await readPictureMetadata(bytes);
    if (head.format !== (type === 'avif' ? 'heif' : type)) return NOT_A_PICTURE;
    const pixels = Math.max(head.width * head.height, type === 'avif' ? countHeifPixels(bytes) : 0);
    if (pixels > limit) return tooManyPixels;
    if (type === 'jpeg' && countJpegScans(bytes) > MAX_JPEG_SCANS) return NOT_A_PICTURE;
    return await runWithDecodeLimit(estimateDecodingBytes(type, pixels, head), () =>
      redraw(bytes, purpose, limit, head),
    );
  } catch {
    return { reason: 'DAMAGED' } as const;
  }
}

async function redraw(bytes: Buffer, purpose: PictureUploadPurpose, limit: number, head?: Metadata) {
  const [width, height] = [MAX_EDGE_PIXELS[purpose], MAX_EDGE_PIXELS[purpose]];
  const picture = createImageDecoder(bytes, limit).resize({
    width,
    height,
    fit: 'inside',
    withoutEnlargement: true,
  });
  const { format, hasAlpha = false } = head ?? { hasAlpha: (await readPictureMetadata(bytes)).hasAlpha };
  const encoded = await encode(picture, purpose, { format, hasAlpha }).toBuffer({ resolveWithObject: true });
  const isPhotoAsPng =
    purpose === 'PROFILE_PICTURE' && encoded.info.format === 'png' && encoded.data.length > MAX_PNG_BYTES;
  const { data, info } = isPhotoAsPng
    ? await createImageDecoder(encoded.data, limit)
        .flatten({ background: '#fff' })
        .jpeg({ quality: 85 })
        .toBuffer({ resolveWithObject: true })
    : encoded;
  return { bytes: data, format: info.format, width: info.width, height: info.height };
}

function encode(
  picture: Sharp,
  as: PictureUploadPurpose,
  { format, hasAlpha }: Partial<Pick<Metadata, 'format' | 'hasAlpha'>>,
): Sharp {
  // Random noise stays below 2 MB; as WebP with transparency it would have 6 MB.
  if (as === 'DRAFT') return picture.flatten({ background: '#fff' }).jpeg({ quality: 82 });
  if (as === 'PROFILE_PICTURE') return format === 'png' ? picture.png() : picture.jpeg({ quality: 85 });
  if (hasAlpha) return picture.webp({ quality: 92, effort: 2 });
  return picture.jpeg({ quality: 90, chromaSubsampling: '4:4:4' });
}

/** A picture above this is decoded alone. */
const LARGE_PICTURE_BYTES = 150_000_000;

const limitLargePictures = createConcurrencyLimiter(1);

/** Run decoding work of this memory size; large ones run one at a time. */
async function runWithDecodeLimit<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
  return bytes < LARGE_PICTURE_BYTES ? work() : limitLargePictures(work);
}
