import { recordAuditEntry } from '../../../platform/audit.ts';
import { assertIfMatch } from '../../../platform/http/if-match.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { createValidationError, type FieldError, ServiceError } from '../../../shared/errors.ts';
import type { GalleryServices } from './add-picture.ts';
import { countPictures, findPicture, type PictureRow, updatePicture } from './gallery.repository.ts';
import type { PictureGallery } from './gallery.ts';

/** A picture of a gallery, and the user who changes it. */
export interface PictureTarget {
  gallery: PictureGallery;
  userId: string;
  /** Of the code or memory tag. */
  id: string;
  pictureId: string;
}

/** Change the caption or the position of a picture. @throws NOT_FOUND, PRECONDITION_FAILED, VALIDATION_FAILED */
export function changePicture(
  { database }: Pick<GalleryServices, 'database'>,
  context: RequestContext,
  { gallery, userId, id, pictureId }: PictureTarget,
  input: { caption?: string | null; position?: number },
  ifMatch: string | undefined,
): Promise<PictureRow> {
  return database.transaction(async (tx) => {
    const { accountId } = await gallery.lockForChange(tx, userId, id, 'UPDATE');
    const key = gallery.toKey(id);
    const row = await findPicture(tx, accountId, key, pictureId);
    if (!row) throw new ServiceError('NOT_FOUND');
    assertIfMatch(ifMatch, row.version);
    const { caption = row.caption, position = row.position } = input;
    const count = await countPictures(tx, accountId, key);
    if (position > count) throw createValidationError(createPicturePositionError(count));
    const change = { caption: caption?.normalize('NFC') ?? null, position };
    if (change.caption === row.caption && change.position === row.position) return row;
    const after = await updatePicture(tx, row, change);
    await recordAuditEntry(tx, context, { resourceId: id, changes: Object.keys(input) });
    return after;
  });
}

export function createPicturePositionError(count: number): FieldError {
  return { field: 'position', code: 'TOO_LARGE', message: `Must be at most ${count}.` };
}
