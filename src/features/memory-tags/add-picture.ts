import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/database.ts';
import type { IdempotentHandler, IdempotentResult } from '../../platform/idempotency.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { createValidationError, type FieldError, ServiceError } from '../../shared/errors.ts';
import {
  MAX_PROCESSED_PICTURE_BYTES,
  type PictureServices,
  processMemoryTagPicture,
  toChunks,
} from '../files/index.ts';
import { countMemoryTagPictures, insertMemoryTagPicture } from './gallery.repository.ts';
import {
  MAX_MEMORY_TAG_PICTURES,
  type MemoryTagPicture,
  type NewMemoryTagPicture,
} from './gallery.schemas.ts';
import { toMemoryTagPictureView } from './gallery.view.ts';
import { lockEditableMemoryTagRow, requireEditableMemoryTag } from './gallery-access.ts';
import type { MemoryTagRow } from './memory-tag.repository.ts';

export interface MemoryTagGalleryServices extends PictureServices {
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
  /** Aborts when the client disconnects. */
  disconnect: AbortSignal | undefined;
  fields: Static<typeof NewMemoryTagPicture>;
}

export const MISSING_PICTURE_ERROR: FieldError = {
  field: 'picture',
  code: 'REQUIRED',
  message: 'Is required.',
};

/**
 * Add a picture after the others of a memory tag. The image is re-encoded and stored first; its file is discarded on failure.
 * @throws NOT_FOUND, TOO_MANY_PICTURES, PLAN_LIMIT_REACHED, and the errors of `processMemoryTagPicture`
 */
export async function addMemoryTagPicture(
  services: MemoryTagGalleryServices,
  context: RequestContext,
  { userId, tagId, upload, disconnect, fields }: PictureUpload,
): Promise<IdempotentResult<Static<typeof MemoryTagPicture>>> {
  const { database, files, createIdempotently } = services;
  // Access and input are checked before the expensive processing.
  const { ownerId } = await requireEditableMemoryTag(database.client, userId, tagId);
  if (!upload) throw createValidationError(MISSING_PICTURE_ERROR);
  const hash = createHash('sha256').update(upload).digest('base64url');
  const idempotencyOptions = { who: userId, fingerprint: { tagId, ...fields, picture: hash } };
  const replayed = await createIdempotently.replay<Static<typeof MemoryTagPicture>>(
    context,
    idempotencyOptions,
  );
  if (replayed) return replayed;
  assertGalleryNotFull(await countMemoryTagPictures(database.client, tagId));

  const { bytes, format, width, height } = await processMemoryTagPicture('picture', upload, {
    accountId: userId,
    disconnect,
  });
  const file = await files.store(ownerId, toChunks(bytes), { maxBytes: MAX_PROCESSED_PICTURE_BYTES });
  let isReferenced = false;
  try {
    const created = await createIdempotently(context, idempotencyOptions, async (tx) => {
      const tag = await lockEditableMemoryTagRow(tx, userId, tagId);
      await assertMemoryTagWithinQuota(services, tx, tag);
      const position = (await countMemoryTagPictures(tx, tagId)) + 1;
      assertGalleryNotFull(position - 1);
      await services.reserveStorage(tx, ownerId, file.size);
      await files.commit(tx, file);
      const caption = fields.caption?.normalize('NFC') ?? null;
      const pictureData = { format, width, height, size: file.size, position, caption };
      const row = await insertMemoryTagPicture(tx, {
        memoryTagId: tagId,
        ownerId,
        fileId: file.id,
        ...pictureData,
      });
      await recordAuditEntry(tx, context, { resourceId: tagId });
      const body = toMemoryTagPictureView(row);
      return { body, location: body.url };
    });
    isReferenced = !created.isReplayed;
    return created;
  } finally {
    if (!isReferenced) await files.discardPending(file);
  }
}

/** Assert that a memory tag is within its owner's quota. @throws PLAN_LIMIT_REACHED */
export async function assertMemoryTagWithinQuota(
  { isReadOnly, rejectReadOnlyChange }: Pick<MemoryTagGalleryServices, 'isReadOnly' | 'rejectReadOnlyChange'>,
  tx: Tx,
  tag: MemoryTagRow,
): Promise<void> {
  if (await isReadOnly(tx, 'memoryTags', tag)) await rejectReadOnlyChange(tx, 'memoryTags', tag.ownerId);
}

function assertGalleryNotFull(count: number): void {
  if (count >= MAX_MEMORY_TAG_PICTURES) throw new ServiceError('TOO_MANY_PICTURES');
}
