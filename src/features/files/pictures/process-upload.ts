import { toBuffer } from '../../../platform/worker-process.ts';
import { createValidationError, ServiceError } from '../../../shared/errors.ts';
import type { PictureUploadPurpose } from './draw-upload.ts';
import { enqueuePictureProcessing } from './enqueue-drawing.ts';
import { MAX_ORIGINAL_PICTURE_PIXELS, MAX_PROFILE_PICTURE_PIXELS } from './picture-limits.rules.ts';
import { detectPictureType, type PictureType } from './picture-types.rules.ts';

interface UploadRules {
  purpose: PictureUploadPurpose;
  types: readonly PictureType[];
  maxPixels: number;
}

export interface ProcessedPicture {
  bytes: Buffer;
  format: string;
  width: number;
  height: number;
}

export const MAX_PICTURE_UPLOAD_BYTES = 20_000_000;

/** Redrawn pictures stay below this, even one of random noise. */
export const MAX_PROCESSED_PICTURE_BYTES = 40_000_000;

/** Of random noise, too. */
export const MAX_DRAFT_PICTURE_BYTES = 2_000_000;

const ORIGINAL_RULES = {
  purpose: 'ORIGINAL',
  types: ['jpeg', 'png', 'webp', 'avif', 'heic', 'gif'],
  maxPixels: MAX_ORIGINAL_PICTURE_PIXELS,
} as const;
const DRAFT_RULES = { ...ORIGINAL_RULES, purpose: 'DRAFT' } as const;
const PROFILE_PICTURE_RULES = {
  purpose: 'PROFILE_PICTURE',
  types: ['jpeg', 'png', 'heic'],
  maxPixels: MAX_PROFILE_PICTURE_PIXELS,
} as const;

const FORMAT_NAMES: Readonly<Record<PictureType, string>> = {
  jpeg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  avif: 'AVIF',
  heic: 'HEIC',
  gif: 'GIF',
};

const HEIC_ERROR =
  'The HEIC picture is damaged or incomplete, or has a feature that this service cannot read. If it opens elsewhere, send a JPEG: on an iPhone choose Settings, Camera, Formats, Most Compatible.';

export interface PictureUploader {
  /** Whose uploads wait together. */
  accountId?: string;
  /** Aborted when the client is gone. */
  disconnect?: AbortSignal | undefined;
}

/** Redraw a picture of a memory tag or a code: WebP with transparency, otherwise JPEG. Throws like `processUpload`. */
export function processGalleryPicture(
  field: string,
  upload: Buffer,
  uploader: PictureUploader = {},
): Promise<ProcessedPicture> {
  return processUpload(field, upload, ORIGINAL_RULES, uploader);
}

/** Redraw a picture of somebody without an account as a small JPEG. Throws like `processUpload`. */
export function processDraftPicture(
  field: string,
  upload: Buffer,
  uploader: PictureUploader,
): Promise<ProcessedPicture> {
  return processUpload(field, upload, DRAFT_RULES, uploader);
}

/** Redraw a profile picture as JPEG or PNG. Throws like `processUpload`. */
export function processProfilePicture(
  field: string,
  upload: Buffer,
  uploader: PictureUploader = {},
): Promise<ProcessedPicture> {
  return processUpload(field, upload, PROFILE_PICTURE_RULES, uploader);
}

/**
 * Redraw an upload. Only allowed types reach a decoder.
 * @throws VALIDATION_FAILED for an unsupported, corrupt or polyglot file, PAYLOAD_TOO_LARGE for too many
 * pixels, RATE_LIMITED when too many uploads of the account wait, BUSY when the queue is full, the reason of `disconnect`
 */
async function processUpload(
  field: string,
  upload: Buffer,
  rules: UploadRules,
  { accountId = '', disconnect }: PictureUploader,
): Promise<ProcessedPicture> {
  const { purpose, maxPixels, types } = rules;
  const type = detectPictureType(upload);
  if (type === null || !types.includes(type)) throw createInvalidPictureError(field, rules);
  const drawn = await enqueuePictureProcessing(type === 'heic' ? 'heic' : 'upload', accountId, () => {
    // It may have waited long for a slot.
    disconnect?.throwIfAborted();
    return { purpose, bytes: upload, type, maxPixels };
  });
  disconnect?.throwIfAborted();
  if (!('reason' in drawn)) return { ...drawn, bytes: toBuffer(drawn.bytes) };
  if (drawn.reason === 'DAMAGED')
    throw createPictureError(
      field,
      type === 'heic' ? HEIC_ERROR : `The ${FORMAT_NAMES[type]} picture is damaged or incomplete.`,
    );
  throw drawn.reason === 'TOO_MANY_PIXELS'
    ? createTooManyPixelsError(field, drawn.maxPixels)
    : createInvalidPictureError(field, rules);
}

function createTooManyPixelsError(field: string, limit: number): ServiceError {
  const detail = `${field} may have ${limit / 1_000_000} million pixels.`;
  return new ServiceError('PAYLOAD_TOO_LARGE', { detail });
}

function createInvalidPictureError(field: string, { types }: UploadRules): ServiceError {
  const names = types.map((type) => FORMAT_NAMES[type]);
  const list = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return createPictureError(field, `Must be a ${list} picture.`);
}

function createPictureError(field: string, message: string): ServiceError {
  return createValidationError({ field, code: 'NOT_A_PICTURE', message });
}
