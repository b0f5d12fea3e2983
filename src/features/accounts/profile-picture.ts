import { promise as queueOf } from 'fastq';
import sharp from 'sharp';
import { invalidFields, ServiceError } from '../../shared/errors.ts';

/** A picture made by us, ready to be stored. */
export interface ProfilePicture {
  bytes: Buffer;
  extension: 'jpg' | 'png';
}

/** The form that registration and profile take besides JSON: one picture of at most 10 MB. */
export const PICTURE_FORM = { files: { profilePicture: { maxBytes: 10_000_000 } } };

const MAX_PIXELS = 40_000_000;
const MAX_EDGE = 1_024;
const AT_ONCE = 2;
const MAX_WAITING = 8;

const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const queue = queueOf(draw, AT_ONCE);

/**
 * Makes a profile picture of an upload: decoded, turned upright, cut down to 1,024 pixels at most, written anew
 * without metadata, so that nothing of the sent bytes remains. Throws VALIDATION_FAILED unless it decodes as JPEG
 * or PNG, PAYLOAD_TOO_LARGE above 40 million pixels, BUSY when too many wait.
 */
export async function makeProfilePicture(upload: Buffer): Promise<ProfilePicture> {
  if (queue.length() >= MAX_WAITING) throw new ServiceError('BUSY', { retryAfterSeconds: 2 });
  return queue.push(upload);
}

async function draw(upload: Buffer): Promise<ProfilePicture> {
  // Nothing but these two formats gets as far as a decoder (sharp would also take SVG, GIF, TIFF, …).
  const format = startsWith(upload, JPEG) ? 'jpeg' : startsWith(upload, PNG) ? 'png' : undefined;
  if (format === undefined) throw notAPicture();
  try {
    const image = sharp(upload, { limitInputPixels: false, failOn: 'error' });
    const found = await image.metadata();
    if (found.format !== format) throw notAPicture();
    if (found.width * found.height > MAX_PIXELS) throw new ServiceError('PAYLOAD_TOO_LARGE', TOO_MANY_PIXELS);
    const drawn = sharp(upload, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .autoOrient()
      .resize({ width: MAX_EDGE, height: MAX_EDGE, fit: 'inside', withoutEnlargement: true });
    return format === 'jpeg'
      ? { bytes: await drawn.jpeg({ quality: 85 }).toBuffer(), extension: 'jpg' }
      : { bytes: await drawn.png().toBuffer(), extension: 'png' };
  } catch (error) {
    throw error instanceof ServiceError ? error : notAPicture();
  }
}

const TOO_MANY_PIXELS = { detail: 'profilePicture may have 40 million pixels.' };

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start);
}

function notAPicture(): ServiceError {
  return invalidFields({
    field: 'profilePicture',
    code: 'NOT_A_PICTURE',
    message: 'Must be a JPEG or PNG picture.',
  });
}
