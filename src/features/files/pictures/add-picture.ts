import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import type { IdempotentHandler, IdempotentResult } from '../../../platform/idempotency.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { createValidationError, type FieldError, ServiceError } from '../../../shared/errors.ts';
import { countPictures, insertPicture } from './gallery.repository.ts';
import type { NewPicture } from './gallery.schemas.ts';
import { getPicturePath, type PictureGallery, type PictureView, toPictureView } from './gallery.ts';
import { toChunks } from './private-bytes.ts';
import { MAX_PROCESSED_PICTURE_BYTES, processGalleryPicture } from './process-upload.ts';
import type { PictureServices } from './send-picture.ts';

export interface GalleryServices extends PictureServices {
  publicBaseUrl: string;
  createIdempotently: IdempotentHandler;
  /** Reserve bytes of the storage quota in the transaction that adds them. */
  reserveStorage(tx: Tx, accountId: string, bytes: number): Promise<void>;
}

interface PictureUpload {
  userId: string;
  /** Of the memory tag or code. */
  id: string;
  upload: Buffer | undefined;
  /** Aborts when the client disconnects. */
  disconnect: AbortSignal | undefined;
  fields: Static<typeof NewPicture>;
}

export const MISSING_PICTURE_ERROR: FieldError = {
  field: 'picture',
  code: 'REQUIRED',
  message: 'Is required.',
};

/**
 * Add a picture after the others of a gallery. The image is re-encoded and stored first; its file is discarded on failure.
 * @throws TOO_MANY_PICTURES, PLAN_LIMIT_REACHED, and the errors of the gallery and of `processGalleryPicture`
 */
export async function addPicture(
  services: GalleryServices,
  context: RequestContext,
  gallery: PictureGallery,
  { userId, id, upload, disconnect, fields }: PictureUpload,
): Promise<IdempotentResult<PictureView>> {
  const { database, files, publicBaseUrl, createIdempotently } = services;
  const key = gallery.toKey(id);
  // Access and input are checked before the expensive processing.
  const { accountId } = await gallery.findOwner(database.client, userId, id, 'ADD');
  if (!upload) throw createValidationError(MISSING_PICTURE_ERROR);
  const hash = createHash('sha256').update(upload).digest('base64url');
  const idempotencyOptions = { who: userId, fingerprint: { ...key, ...fields, picture: hash } };
  const replayed = await createIdempotently.replay<PictureView>(context, idempotencyOptions);
  if (replayed) return replayed;
  const assertNotFull = (count: number) => {
    if (count >= gallery.maxPictures) throw new ServiceError('TOO_MANY_PICTURES');
  };
  assertNotFull(await countPictures(database.client, accountId, key));

  const { bytes, format, width, height } = await processGalleryPicture('picture', upload, {
    accountId: userId,
    disconnect,
  });
  const file = await files.store(accountId, toChunks(bytes), { maxBytes: MAX_PROCESSED_PICTURE_BYTES });
  let isReferenced = false;
  try {
    const created = await createIdempotently(context, idempotencyOptions, async (tx) => {
      await gallery.lockForChange(tx, userId, id, 'ADD');
      const position = (await countPictures(tx, accountId, key)) + 1;
      assertNotFull(position - 1);
      await services.reserveStorage(tx, accountId, file.size);
      await files.commit(tx, file);
      const caption = fields.caption?.normalize('NFC') ?? null;
      const pictureData = { format, width, height, size: file.size, position, caption };
      const row = await insertPicture(tx, { ...key, accountId, fileId: file.id, ...pictureData });
      await recordAuditEntry(tx, context, { resourceId: id });
      const body = toPictureView(publicBaseUrl, gallery, id, row);
      return { body, location: getPicturePath(gallery, id, row.id) };
    });
    isReferenced = !created.isReplayed;
    return created;
  } finally {
    if (!isReferenced) await files.discardPending(file);
  }
}
