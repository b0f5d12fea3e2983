import { createValidationError, ServiceError } from '../../shared/errors.ts';
import type { UploadPurpose } from './draw-upload.ts';
import { drawInTurn } from './drawing.ts';
import { type PictureType, typeOf } from './picture-types.rules.ts';

/** Which pictures a field of a form takes, and what is made of them. */
interface PictureRules {
  as: UploadPurpose;
  types: readonly PictureType[];
  mostPixels: number;
}

/** A picture drawn from an upload, ready to be kept. */
export interface TakenPicture {
  bytes: Buffer;
  format: string;
  width: number;
  height: number;
}

/** Bytes of a picture for a memory tag as it is sent. */
export const UPLOAD_BYTES = 20_000_000;

/** Of bytes that random noise makes of the largest picture; more is not kept. */
export const ORIGINAL_BYTES = 40_000_000;

const ORIGINAL = {
  as: 'ORIGINAL',
  types: ['jpeg', 'png', 'webp', 'avif', 'gif'],
  mostPixels: 50_000_000,
} as const;
const PROFILE_PICTURE = { as: 'PROFILE_PICTURE', types: ['jpeg', 'png'], mostPixels: 40_000_000 } as const;

const NAMES: Readonly<Record<PictureType, string>> = {
  jpeg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  avif: 'AVIF',
  gif: 'GIF',
};

/** Draws what is kept of a picture for a memory tag, and what all its sizes are made of: WebP where it is transparent, else JPEG. Throws as `take` does. */
export function takeOriginal(field: string, upload: Buffer): Promise<TakenPicture> {
  return take(field, upload, ORIGINAL);
}

/** Draws a profile picture, JPEG or PNG as it was sent. Throws as `take` does. */
export function takeProfilePicture(field: string, upload: Buffer): Promise<TakenPicture> {
  return take(field, upload, PROFILE_PICTURE);
}

/**
 * Has an uploaded picture drawn anew. Nothing but the types that are taken gets as far as a decoder, whatever the file is
 * called. Throws VALIDATION_FAILED for what is no such picture, is damaged or is something else as well,
 * PAYLOAD_TOO_LARGE for too many pixels, BUSY when too many wait.
 */
async function take(field: string, upload: Buffer, rules: PictureRules): Promise<TakenPicture> {
  const { as, mostPixels, types } = rules;
  const type = typeOf(upload);
  if (type === null || !types.includes(type)) throw notAPicture(field, rules);
  const drawn = await drawInTurn('upload', () => ({ as, bytes: upload, type, mostPixels }));
  if (!('refused' in drawn)) return { ...drawn, bytes: bufferOf(drawn.bytes) };
  throw drawn.refused === 'TOO_MANY_PIXELS' ? tooManyPixels(field, drawn.most) : notAPicture(field, rules);
}

/** Bytes that came from another process, as they are. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function tooManyPixels(field: string, most: number): ServiceError {
  const detail = `${field} may have ${most / 1_000_000} million pixels.`;
  return new ServiceError('PAYLOAD_TOO_LARGE', { detail });
}

function notAPicture(field: string, { types }: PictureRules): ServiceError {
  const names = types.map((type) => NAMES[type]);
  const list = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return createValidationError({ field, code: 'NOT_A_PICTURE', message: `Must be a ${list} picture.` });
}
