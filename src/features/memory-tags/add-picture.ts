import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/database.ts';
import type { IdempotentHandler, IdempotentResult } from '../../platform/idempotency.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { createValidationError, ServiceError } from '../../shared/errors.ts';
import {
  MAX_PROCESSED_ORIGINAL_BYTES,
  type PictureServices,
  processOriginal,
  toChunks,
} from '../files/index.ts';
import { countPictures, insertPicture } from './gallery.repository.ts';
import { MAX_PICTURES, type MemoryTagPicture, type NewPicture } from './gallery.schemas.ts';
import { toPictureView } from './gallery.view.ts';
import { getGalleryTag, lockGalleryTag } from './gallery-access.ts';
import type { MemoryTagRow } from './memory-tag.repository.ts';

export interface GalleryServices extends PictureServices {
  createIdempotently: IdempotentHandler;
  isReadOnly(db: Db, limit: 'memoryTags', row: MemoryTagRow): Promise<boolean>;
  /** @throws PLAN_LIMIT_REACHED */
  rejectReadOnlyChange(db: Db, limit: 'memoryTags', ownerId: string): Promise<never>;
  /** Reserve bytes of the storage quota in the transaction that adds them. */
  reserveStorage(tx: Tx, ownerId: string, bytes: number): Promise<void>;
}

interface PictureUpload {
  userId: string;
  tagId: string;
  upload: Buffer | undefined;
  fields: Static<typeof NewPicture>;
}

/**
 * Add a picture after the others of a memory tag. The image is re-encoded and stored first; its file is discarded on failure.
 * @throws NOT_FOUND, TOO_MANY_PICTURES, PLAN_LIMIT_REACHED, and the errors of `processOriginal`
 */
export async function addPicture(
  services: GalleryServices,
  context: RequestContext,
  { userId, tagId, upload, fields }: PictureUpload,
): Promise<IdempotentResult<Static<typeof MemoryTagPicture>>> {
  const { database, files, createIdempotently } = services;
  // Access and input are checked before the expensive processing.
  const { ownerId } = await getGalleryTag(database.client, userId, tagId);
  if (!upload) throw createValidationError({ field: 'picture', code: 'REQUIRED', message: 'Is required.' });
  const hash = createHash('sha256').update(upload).digest('base64url');
  const idempotencyOptions = { who: userId, fingerprint: { tagId, ...fields, picture: hash } };
  const replayed = await createIdempotently.replay<Static<typeof MemoryTagPicture>>(
    context,
    idempotencyOptions,
  );
  if (replayed) return replayed;
  assertGalleryNotFull(await countPictures(database.client, tagId));

  const { bytes, format, width, height } = await processOriginal('picture', upload);
  const file = await files.store(ownerId, toChunks(bytes), { maxBytes: MAX_PROCESSED_ORIGINAL_BYTES });
  let isReferenced = false;
  try {
    const created = await createIdempotently(context, idempotencyOptions, async (tx) => {
      const tag = await lockGalleryTag(tx, userId, tagId);
      await assertWithinQuota(services, tx, tag);
      const position = (await countPictures(tx, tagId)) + 1;
      assertGalleryNotFull(position - 1);
      await services.reserveStorage(tx, ownerId, file.size);
      await files.commit(tx, file);
      const caption = fields.caption?.normalize('NFC') ?? null;
      const pictureData = { format, width, height, size: file.size, position, caption };
      const row = await insertPicture(tx, { memoryTagId: tagId, ownerId, fileId: file.id, ...pictureData });
      await recordAuditEntry(tx, context, { resourceId: tagId });
      const body = toPictureView(row);
      return { body, location: body.url };
    });
    isReferenced = !created.isReplayed;
    return created;
  } finally {
    if (!isReferenced) await files.discardPending(file);
  }
}

/** Assert that a memory tag is within its owner's quota. @throws PLAN_LIMIT_REACHED */
export async function assertWithinQuota(
  { isReadOnly, rejectReadOnlyChange }: Pick<GalleryServices, 'isReadOnly' | 'rejectReadOnlyChange'>,
  tx: Tx,
  tag: MemoryTagRow,
): Promise<void> {
  if (await isReadOnly(tx, 'memoryTags', tag)) await rejectReadOnlyChange(tx, 'memoryTags', tag.ownerId);
}

function assertGalleryNotFull(count: number): void {
  if (count >= MAX_PICTURES) throw new ServiceError('TOO_MANY_PICTURES');
}
