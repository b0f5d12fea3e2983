import type { Metadata, Sharp } from 'sharp';
import { avifPixels } from './avif-pixels.rules.ts';
import { decodeWithin } from './decode-turn.ts';
import { openPicture, readHead } from './decoders.ts';
import { countScans } from './jpeg-scans.rules.ts';
import { decodingBytes, MOST_PIXELS, MOST_SCANS } from './picture-limits.rules.ts';
import type { PictureType } from './picture-types.rules.ts';
import { hasSecondMeaning } from './second-meaning.rules.ts';

/** What is made of uploads. */
export type UploadPurpose = 'ORIGINAL' | 'PROFILE_PICTURE';

/** An upload that is to be drawn anew. */
export interface UploadDrawing {
  as: UploadPurpose;
  bytes: Uint8Array;
  /** What its first bytes say. */
  type: PictureType;
  mostPixels: number;
}

/** Why an upload was not drawn. */
export type Refused = { refused: 'NOT_A_PICTURE' } | { refused: 'TOO_MANY_PIXELS'; most: number };

/** Pixels on the longer edge; of an original, a print of 35 cm at 300 dots an inch. */
const MOST_EDGE: Readonly<Record<UploadPurpose, number>> = { ORIGINAL: 4_096, PROFILE_PICTURE: 1_024 };

const NOT_A_PICTURE = { refused: 'NOT_A_PICTURE' } as const;

/** Draws an upload anew: its first frame, upright, in sRGB, without metadata, no larger than its purpose needs. */
export async function drawUpload(bytes: Buffer, { as, type, mostPixels }: UploadDrawing) {
  if (hasSecondMeaning(bytes)) return NOT_A_PICTURE;
  try {
    const head = await readHead(bytes);
    if (head.format !== (type === 'avif' ? 'heif' : type)) return NOT_A_PICTURE;
    const most = Math.min(mostPixels, MOST_PIXELS[type]);
    const pixels = Math.max(head.width * head.height, type === 'avif' ? avifPixels(bytes) : 0);
    if (pixels > most) return { refused: 'TOO_MANY_PIXELS', most } as const;
    if (type === 'jpeg' && countScans(bytes) > MOST_SCANS) return NOT_A_PICTURE;
    return await decodeWithin(decodingBytes(type, pixels, head), async () => {
      const [width, height] = [MOST_EDGE[as], MOST_EDGE[as]];
      const picture = openPicture(bytes, most).resize({
        width,
        height,
        fit: 'inside',
        withoutEnlargement: true,
      });
      const { data, info } = await encoded(picture, as, head).toBuffer({ resolveWithObject: true });
      return { bytes: data, format: info.format, width: info.width, height: info.height };
    });
  } catch {
    return NOT_A_PICTURE;
  }
}

function encoded(picture: Sharp, as: UploadPurpose, { format, hasAlpha }: Metadata): Sharp {
  if (as === 'PROFILE_PICTURE') return format === 'png' ? picture.png() : picture.jpeg({ quality: 85 });
  if (hasAlpha) return picture.webp({ quality: 92, effort: 2 });
  return picture.jpeg({ quality: 90, chromaSubsampling: '4:4:4' });
}
