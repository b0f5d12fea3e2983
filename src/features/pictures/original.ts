import type { Sharp } from 'sharp';
import { type PictureRules, takePicture } from './take-picture.ts';

/** A picture drawn from an upload, ready to be kept: what all its sizes are made of. */
export interface Original {
  bytes: Buffer;
  format: 'jpeg' | 'webp';
  width: number;
  height: number;
}

/** Bytes of a picture as it is sent. */
export const UPLOAD_BYTES = 20_000_000;

/** A print of 35 cm at 300 dots an inch. */
const MOST_EDGE = 4_096;

/** Of bytes that random noise makes of the largest picture; more is not kept. */
export const ORIGINAL_BYTES = 40_000_000;

const TAKEN = { types: ['jpeg', 'png', 'webp', 'avif', 'gif'], mostPixels: 50_000_000 } as const;

/** Draws what is kept of an uploaded picture: 4,096 pixels on its longer edge at most; WebP where it is transparent, else JPEG. Throws what `takePicture` throws. */
export function drawOriginal(field: string, upload: Buffer): Promise<Original> {
  const rules: PictureRules = { field, ...TAKEN };
  return takePicture(upload, rules, async (picture, { hasAlpha }) => {
    const format = hasAlpha ? 'webp' : 'jpeg';
    const { data, info } = await encoded(within(picture, MOST_EDGE), format).toBuffer({
      resolveWithObject: true,
    });
    return { bytes: data, format, width: info.width, height: info.height };
  });
}

/** A picture cut down to so many pixels on its longer edge. */
export function within(picture: Sharp, edge: number): Sharp {
  return picture.resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true });
}

function encoded(picture: Sharp, format: Original['format']): Sharp {
  if (format === 'webp') return picture.webp({ quality: 92, effort: 2 });
  return picture.jpeg({ quality: 90, chromaSubsampling: '4:4:4' });
}
