import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/database.ts';
import type { IdempotentHandler, IdempotentResult } from '../../platform/idempotency.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { createValidationError, ServiceError } from '../../shared/errors.ts';
import { contentOf } from '../pictures/private-bytes.ts';
import type { PictureServices } from '../pictures/send-picture.ts';
import { ORIGINAL_BYTES, takeOriginal } from '../pictures/take-picture.ts';
import { countPictures, insertPicture } from './gallery.repository.ts';
import { type MemoryTagPicture, MOST_PICTURES, type NewPicture } from './gallery.schemas.ts';
import { pictureView } from './gallery.view.ts';
import { galleryTag, lockGalleryTag } from './gallery-access.ts';
import type { MemoryTagRow } from './memory-tag.repository.ts';

/** What galleries work with; put together in services.ts. */
export interface GalleryServices extends PictureServices {
  createIdempotently: IdempotentHandler;
  /** Whether a memory tag is beyond what its owner's package has room for. */
  isReadOnly(db: Db, limit: 'memoryTags', row: MemoryTagRow): Promise<boolean>;
  /** Throws PLAN_LIMIT_REACHED for a change of such a one. */
  refuseReadOnly(db: Db, limit: 'memoryTags', ownerId: string): Promise<never>;
  /** Makes sure that the owner's package has room for so many bytes more, in the transaction that adds them. */
  reserveStorage(tx: Tx, ownerId: string, bytes: number): Promise<void>;
}

/** What somebody sent. */
interface Sent {
  userId: string;
  tagId: string;
  upload: Buffer | undefined;
  fields: Static<typeof NewPicture>;
}

/**
 * Adds a picture behind the others of a memory tag: drawn anew, kept, then named, or gone again. Throws NOT_FOUND,
 * GALLERY_FULL, PLAN_LIMIT_REACHED, and what `takeOriginal` throws.
 */
export async function addPicture(
  services: GalleryServices,
  context: RequestContext,
  { userId, tagId, upload, fields }: Sent,
): Promise<IdempotentResult<Static<typeof MemoryTagPicture>>> {
  const { database, files, createIdempotently } = services;
  // Before anything is drawn for somebody who may not, or for nothing.
  const { ownerId } = await galleryTag(database.client, userId, tagId);
  if (!upload) throw createValidationError({ field: 'picture', code: 'REQUIRED', message: 'Is required.' });
  const hash = createHash('sha256').update(upload).digest('base64url');
  const once = { who: userId, sameAs: { tagId, ...fields, picture: hash } };
  const before = await createIdempotently.replay<Static<typeof MemoryTagPicture>>(context, once);
  if (before) return before;
  refuseFull(await countPictures(database.client, tagId));

  const { bytes, format, width, height } = await takeOriginal('picture', upload);
  const file = await files.keep(ownerId, contentOf(bytes), { maxBytes: ORIGINAL_BYTES });
  let isNamed = false;
  try {
    const made = await createIdempotently(context, once, async (tx) => {
      const tag = await lockGalleryTag(tx, userId, tagId);
      await refuseBeyondRoom(services, tx, tag);
      const position = (await countPictures(tx, tagId)) + 1;
      refuseFull(position - 1);
      await services.reserveStorage(tx, ownerId, file.size);
      await files.settle(tx, file);
      const caption = fields.caption?.normalize('NFC') ?? null;
      const facts = { format, width, height, size: file.size, position, caption };
      const row = await insertPicture(tx, { memoryTagId: tagId, ownerId, fileId: file.id, ...facts });
      await recordAuditEntry(tx, context, { resourceId: tagId });
      const body = pictureView(row);
      return { body, location: body.url };
    });
    isNamed = !made.isReplayed;
    return made;
  } finally {
    if (!isNamed) await files.drop(file);
  }
}

/** Throws PLAN_LIMIT_REACHED where the memory tag is beyond what its owner's package has room for. */
export async function refuseBeyondRoom(
  { isReadOnly, refuseReadOnly }: Pick<GalleryServices, 'isReadOnly' | 'refuseReadOnly'>,
  tx: Tx,
  tag: MemoryTagRow,
): Promise<void> {
  if (await isReadOnly(tx, 'memoryTags', tag)) await refuseReadOnly(tx, 'memoryTags', tag.ownerId);
}

function refuseFull(count: number): void {
  if (count >= MOST_PICTURES) throw new ServiceError('GALLERY_FULL');
}
