import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../../../platform/database.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import {
  type DeletedPictureRow,
  findDeletedPicture,
  type GalleryKey,
  listDeletedPictures,
} from './gallery.repository.ts';
import { type PictureServices, sendPictureFile } from './send-picture.ts';

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
): Promise<DeletedPictureRow[]> {
  return listDeletedPictures(db, accountId, gallery, getPictureRestoreCutoff(), MAX_LISTED_DELETED_PICTURES);
}

/** Send a deleted picture, as it is stored, to whoever can restore it. @throws NOT_FOUND */
export async function sendDeletedPicture(
  { database, files }: Pick<PictureServices, 'database' | 'files'>,
  accountId: string,
  gallery: GalleryKey,
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const row = await findDeletedPicture(database.client, accountId, gallery, id, getPictureRestoreCutoff());
  if (!row) throw new ServiceError('NOT_FOUND');
  reply.header('Cache-Control', 'no-store');
  return sendPictureFile({ database, files }, row, request, reply);
}
