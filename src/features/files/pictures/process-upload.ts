import { createValidationError, ServiceError } from '../../../shared/errors.ts';
import type { UploadPurpose } from './draw-upload.ts';
import { enqueueDrawing } from './enqueue-drawing.ts';
import { detectPictureType, type PictureType } from './picture-types.rules.ts';

/** Which pictures a field of a form takes, and what is made of them. */
interface UploadRules {
  purpose: UploadPurpose;
  types: readonly PictureType[];
  maxPixels: number;
}

/** A picture drawn from an upload, ready to be kept. */
export interface ProcessedPicture {
  bytes: Buffer;
  format: string;
  width: number;
  height: number;
}

/** Bytes of a picture for a memory tag as it is sent. */
export const MAX_UPLOAD_BYTES = 20_000_000;

/** Of bytes that random noise makes of the largest picture; more is not kept. */
export const MAX_ORIGINAL_BYTES = 40_000_000;

const ORIGINAL_RULES = {
  purpose: 'ORIGINAL',
  types: ['jpeg', 'png', 'webp', 'avif', 'gif'],
  maxPixels: 50_000_000,
} as const;
const PROFILE_PICTURE_RULES = {
  purpose: 'PROFILE_PICTURE',
  types: ['jpeg', 'png'],
  maxPixels: 40_000_000,
} as const;

const FORMAT_NAMES: Readonly<Record<PictureType, string>> = {
  jpeg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  avif: 'AVIF',
  gif: 'GIF',
};

/** Draws what is kept of a picture for a memory tag, and what all its sizes are made of: WebP where it is transparent, else JPEG. Throws as `take` does. */
export function processOriginal(field: string, upload: Buffer): Promise<ProcessedPicture> {
  return processUpload(field, upload, ORIGINAL_RULES);
}

/** Draws a profile picture, JPEG or PNG as it was sent. Throws as `take` does. */
export function processProfilePicture(field: string, upload: Buffer): Promise<ProcessedPicture> {
  return processUpload(field, upload, PROFILE_PICTURE_RULES);
}

/**
 * Has an uploaded picture drawn anew. Nothing but the types that are taken gets as far as a decoder, whatever the file is
 * called. Throws VALIDATION_FAILED for what is no such picture, is damaged or is something else as well,
 * PAYLOAD_TOO_LARGE for too many pixels, BUSY when too many wait.
 */
async function processUpload(field: string, upload: Buffer, rules: UploadRules): Promise<ProcessedPicture> {
  const { purpose, maxPixels, types } = rules;
  const type = detectPictureType(upload);
  if (type === null || !types.includes(type)) throw createInvalidPictureError(field, rules);
  const drawn = await enqueueDrawing('upload', () => ({ purpose, bytes: upload, type, maxPixels }));
  if (!('refused' in drawn)) return { ...drawn, bytes: toBuffer(drawn.bytes) };
  throw drawn.refused === 'TOO_MANY_PIXELS'
    ? createTooManyPixelsError(field, drawn.most)
    : createInvalidPictureError(field, rules);
}

/** Bytes that came from another process, as they are. */
export function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function createTooManyPixelsError(field: string, limit: number): ServiceError {
  const detail = `${field} may have ${limit / 1_000_000} million pixels.`;
  return new ServiceError('PAYLOAD_TOO_LARGE', { detail });
}

function createInvalidPictureError(field: string, { types }: UploadRules): ServiceError {
  const names = types.map((type) => FORMAT_NAMES[type]);
  const list = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return createValidationError({ field, code: 'NOT_A_PICTURE', message: `Must be a ${list} picture.` });
}
