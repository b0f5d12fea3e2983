import type { TSchema } from 'typebox';
import type { AuditAction } from '../../../audit-actions.ts';
import type { Permission } from '../../../permissions.ts';
import type { Db, Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import type { RouteAudit } from '../../../platform/route-access.ts';
import type { DeletedPictureRow, GalleryKey, PictureRow } from './gallery.repository.ts';

type GalleryChange = 'ADD' | 'UPDATE' | 'DELETE';

/** The pictures of a memory tag or a code. */
export interface PictureGallery {
  /** Prefix of operation ids. */
  name: 'memoryTags' | 'qrcodes';
  tag: 'Memory tags' | 'QR codes';
  /** As in "pictures of a memory tag". */
  subject: string;
  path: string;
  permission: Permission;
  readAudit: RouteAudit;
  auditActions: { added: AuditAction; updated: AuditAction; deleted: AuditAction; restored: AuditAction };
  schema: TSchema & { $id?: string };
  maxPictures: number;
  toKey(id: string): GalleryKey;
  /** Check that a user may read the pictures, record it, and find their owner. @throws NOT_FOUND */
  authorizeRead(context: RequestContext, userId: string, id: string): Promise<{ accountId: string }>;
  /** Find whose storage the pictures count towards. @throws NOT_FOUND, PICTURES_NOT_SUPPORTED */
  findOwner(db: Db, userId: string, id: string, change: GalleryChange): Promise<{ accountId: string }>;
  /** Lock the gallery, so that changes are serialized, and find its owner. @throws NOT_FOUND, PLAN_LIMIT_REACHED */
  lockForChange(tx: Tx, userId: string, id: string, change: GalleryChange): Promise<{ accountId: string }>;
}

export type PictureView = ReturnType<typeof toPictureView>;

export function toPictureView(
  publicBaseUrl: string,
  gallery: Pick<PictureGallery, 'path' | 'toKey'>,
  galleryId: string,
  row: PictureRow,
) {
  const { id, caption, position, width, height, size, version } = row;
  return {
    id,
    ...gallery.toKey(galleryId),
    caption,
    position,
    width,
    height,
    size,
    url: `${publicBaseUrl}${getPicturePath(gallery, galleryId, id)}`,
    version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Its deletion is its last change. */
export function toDeletedPictureView(
  publicBaseUrl: string,
  gallery: Pick<PictureGallery, 'path' | 'toKey'>,
  galleryId: string,
  { deletedAt, ...row }: DeletedPictureRow,
) {
  const picture = toPictureView(publicBaseUrl, gallery, galleryId, { ...row, updatedAt: deletedAt });
  return { ...picture, deletedAt: deletedAt.toISOString() };
}

export function getPicturePath(gallery: Pick<PictureGallery, 'path'>, galleryId: string, id: string): string {
  return `${gallery.path}/${galleryId}/pictures/${id}`;
}
