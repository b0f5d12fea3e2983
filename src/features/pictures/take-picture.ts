import type { Metadata, Sharp } from 'sharp';
import { invalidFields, ServiceError } from '../../shared/errors.ts';
import { openPicture, readHead } from './decoders.ts';
import { decodeWithin, drawInTurn } from './drawing-queue.ts';
import { decodingBytes, MOST_PIXELS } from './picture-limits.rules.ts';
import { type PictureType, typeOf } from './picture-types.rules.ts';
import { hasSecondMeaning } from './second-meaning.rules.ts';

/** Which pictures a field of a form takes. */
export interface PictureRules {
  field: string;
  types: readonly PictureType[];
  mostPixels: number;
}

const NAMES: Readonly<Record<PictureType, string>> = {
  jpeg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  avif: 'AVIF',
  gif: 'GIF',
};

/**
 * Has an uploaded picture drawn anew by `draw`, when its turn comes: it gets the first frame, upright, in sRGB. Nothing
 * but the types that are taken gets as far as a decoder, whatever the file is called. Throws VALIDATION_FAILED for what
 * is no such picture, is damaged or is something else as well, PAYLOAD_TOO_LARGE for too many pixels, BUSY when too
 * many wait.
 */
export async function takePicture<Result>(
  upload: Buffer,
  rules: PictureRules,
  draw: (picture: Sharp, head: Metadata) => Promise<Result>,
): Promise<Result> {
  const type = typeOf(upload);
  if (type === null || !rules.types.includes(type) || hasSecondMeaning(upload)) throw notAPicture(rules);
  return drawInTurn('upload', async () => {
    try {
      const head = await readHead(upload);
      if (head.format !== (type === 'avif' ? 'heif' : type)) throw notAPicture(rules);
      const most = Math.min(rules.mostPixels, MOST_PIXELS[type]);
      if (head.width * head.height > most) throw tooManyPixels(rules.field, most);
      return await decodeWithin(decodingBytes(type, head), () => draw(openPicture(upload, most), head));
    } catch (error) {
      throw error instanceof ServiceError ? error : notAPicture(rules);
    }
  });
}

function tooManyPixels(field: string, most: number): ServiceError {
  return new ServiceError('PAYLOAD_TOO_LARGE', {
    detail: `${field} may have ${most / 1_000_000} million pixels.`,
  });
}

function notAPicture({ field, types }: PictureRules): ServiceError {
  const names = types.map((type) => NAMES[type]);
  const list = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return invalidFields({ field, code: 'NOT_A_PICTURE', message: `Must be a ${list} picture.` });
}
