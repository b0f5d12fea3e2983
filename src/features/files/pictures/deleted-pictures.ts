import type { FastifyReply } from 'fastify';
import type { Db } from '../../../platform/database.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import {
  type DeletedPictureRow,
  findDeletedPicture,
  type GalleryKey,
  listDeletedPictures,
} from './gallery.repository.ts';
import type { PictureServices } from './send-picture.ts';

/** Of a gallery, those that were deleted last. */
export const MAX_LISTED_DELETED_PICTURES = 100;

/** Pictures that were deleted before are gone. */
export function getPictureRestoreCutoff(): Date {
  return new Date(Date.now() - LIFETIMES_SECONDS.deletedPicture * 1000);
}

/** List the deleted pictures of a gallery that can be restored, the last deleted first. */
export function listRestorablePictures(
  db: Db,
  accountId: string,
  gallery: GalleryKey,
  limit = MAX_LISTED_DELETED_PICTURES,
): Promise<DeletedPictureRow[]> {
  return listDeletedPictures(db, accountId, gallery, getPictureRestoreCutoff(), limit);
}

/** Send a deleted picture, as it is stored, to whoever can restore it. @throws NOT_FOUND */
export async function sendDeletedPicture(
  { database, files }: Pick<PictureServices, 'database' | 'files'>,
  accountId: string,
  gallery: GalleryKey,
  id: string,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const row = await findDeletedPicture(database.client, accountId, gallery, id, getPictureRestoreCutoff());
  const content = row && (await files.open(database.client, accountId, row.fileId));
  if (!content) throw new ServiceError('NOT_FOUND');
  return reply
    .type(`image/${row.format}`)
    .header('Cache-Control', 'no-store')
    .header('Content-Disposition', 'inline')
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .send(content);
}
