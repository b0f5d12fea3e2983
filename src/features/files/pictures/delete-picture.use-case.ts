import { recordAuditEntry } from '../../../platform/audit.ts';
import { assertIfMatch } from '../../../platform/http/if-match.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import type { GalleryServices } from './add-picture.ts';
import type { PictureTarget } from './change-picture.use-case.ts';
import { getPictureRestoreCutoff } from './deleted-pictures.ts';
import {
  countPictures,
  findDeletedPicture,
  findPicture,
  type PictureRow,
  removeDeletedPictures,
  restorePicture,
  softDeletePicture,
} from './gallery.repository.ts';

const BATCH_SIZE = 100;

type Services = Pick<GalleryServices, 'database' | 'files'>;

/** Delete a picture; it can be restored, and later ones move up. @throws NOT_FOUND, PRECONDITION_FAILED */
export function removePicture(
  { database, files }: Services,
  context: RequestContext,
  { gallery, userId, id, pictureId }: PictureTarget,
  ifMatch: string | undefined,
): Promise<void> {
  return database.transaction(async (tx) => {
    const { accountId } = await gallery.lockForChange(tx, userId, id, 'DELETE');
    const row = await findPicture(tx, accountId, gallery.toKey(id), pictureId);
    if (!row) throw new ServiceError('NOT_FOUND');
    assertIfMatch(ifMatch, row.version);
    await files.remove(tx, await softDeletePicture(tx, row));
    await recordAuditEntry(tx, context, { action: gallery.auditActions.deleted, resourceId: id });
  });
}

/** Delete a picture for good, also one that is deleted. @throws NOT_FOUND, PRECONDITION_FAILED */
export function purgePicture(
  { database, files }: Services,
  context: RequestContext,
  { gallery, userId, id, pictureId }: PictureTarget,
  ifMatch: string | undefined,
): Promise<void> {
  return database.transaction(async (tx) => {
    const key = gallery.toKey(id);
    const { accountId } = await gallery.lockForChange(tx, userId, id, 'DELETE');
    const row = await findPicture(tx, accountId, key, pictureId);
    if (row) {
      assertIfMatch(ifMatch, row.version);
      await files.remove(tx, await softDeletePicture(tx, row));
    }
    const fileIds = await removeDeletedPictures(tx, { ...key, accountId, id: pictureId }, 1);
    if (fileIds.length === 0) throw new ServiceError('NOT_FOUND');
    await files.remove(tx, fileIds);
    await recordAuditEntry(tx, context, { action: gallery.auditActions.deleted, resourceId: id });
  });
}

/**
 * Restore a deleted picture where it was, or at the end of fewer ones.
 * @throws NOT_FOUND, PRECONDITION_FAILED, TOO_MANY_PICTURES, PLAN_LIMIT_REACHED if the gallery is read-only
 */
export function restoreDeletedPicture(
  { database }: Pick<Services, 'database'>,
  context: RequestContext,
  { gallery, userId, id, pictureId }: PictureTarget,
  ifMatch: string | undefined,
): Promise<PictureRow> {
  return database.transaction(async (tx) => {
    const key = gallery.toKey(id);
    const { accountId } = await gallery.lockForChange(tx, userId, id, 'ADD');
    const row = await findDeletedPicture(tx, accountId, key, pictureId, getPictureRestoreCutoff());
    if (!row) throw new ServiceError('NOT_FOUND');
    assertIfMatch(ifMatch, row.version);
    const count = await countPictures(tx, accountId, key);
    if (count >= gallery.maxPictures) throw new ServiceError('TOO_MANY_PICTURES');
    const restored = await restorePicture(tx, row, Math.min(row.position, count + 1));
    await recordAuditEntry(tx, context, { action: gallery.auditActions.restored, resourceId: id });
    return restored;
  });
}

/** Remove deleted pictures with their files once they can no longer be restored. */
export async function purgeDeletedPictures({ database, files }: Services): Promise<void> {
  const deletedBefore = getPictureRestoreCutoff();
  for (let removed = BATCH_SIZE; removed === BATCH_SIZE; )
    removed = await database.transaction(async (tx) => {
      const fileIds = await removeDeletedPictures(tx, { deletedBefore }, BATCH_SIZE);
      await files.remove(tx, fileIds);
      return fileIds.length;
    });
}
