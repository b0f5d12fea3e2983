import type { DeletedPicture, Picture, Prisma } from '../../../generated/prisma/client.ts';
import type { Db, Tx } from '../../../platform/database.ts';
import { executeSql, querySql, sql } from '../../../platform/sql.ts';
import { generateId } from '../../../shared/ids.ts';

export type PictureRow = Picture;

export type DeletedPictureRow = DeletedPicture;

/** The memory tag or code that has the pictures. */
export type GalleryKey = { memoryTagId: string } | { qrCodeId: string };

export async function listPictures(
  db: Db,
  accountId: string,
  gallery: GalleryKey,
  page: { skip?: number; take?: number } = {},
): Promise<PictureRow[]> {
  return db.picture.findMany({ where: { ...gallery, accountId }, orderBy: { position: 'asc' }, ...page });
}

export async function listPicturesOfQrCodes(
  db: Db,
  accountId: string,
  qrCodeIds: readonly string[],
): Promise<PictureRow[]> {
  return db.picture.findMany({
    where: { accountId, qrCodeId: { in: [...qrCodeIds] } },
    orderBy: { position: 'asc' },
  });
}

export async function countPictures(db: Db, accountId: string, gallery: GalleryKey): Promise<number> {
  return db.picture.count({ where: { ...gallery, accountId } });
}

export async function findPicture(
  db: Db,
  accountId: string,
  gallery: GalleryKey,
  id: string,
): Promise<PictureRow | null> {
  return db.picture.findFirst({ where: { ...gallery, accountId, id } });
}

/** Insert a picture at the end. The gallery must be locked by this transaction. */
export async function insertPicture(
  tx: Tx,
  picture: Pick<
    PictureRow,
    'accountId' | 'fileId' | 'format' | 'width' | 'height' | 'size' | 'position' | 'caption'
  > &
    GalleryKey,
): Promise<PictureRow> {
  return tx.picture.create({ data: { id: generateId(), ...picture } });
}

/** Update caption and position of a picture, and shift the others. The gallery must be locked by this transaction. */
export async function updatePicture(
  tx: Tx,
  row: PictureRow,
  { caption, position }: { caption: string | null; position: number },
): Promise<PictureRow> {
  const { accountId, id, position: before } = row;
  if (position !== before) {
    const [first, last] = [Math.min(before, position), Math.max(before, position)];
    const step = position < before ? 1 : -1;
    await executeSql(tx)`
      UPDATE pictures
      SET position = CASE WHEN id = ${id} THEN ${position}::int ELSE position + ${step}::int END
      WHERE ${whereSameGallery(row)} AND position BETWEEN ${first} AND ${last}`;
  }
  return tx.picture.update({
    where: { id, accountId },
    data: { caption, version: { increment: 1 }, updatedAt: new Date() },
  });
}

/**
 * Delete a picture, so that it can be restored, and shift the others. Returns the ids of its smaller sizes, which are drawn
 * again. The gallery must be locked.
 */
export async function softDeletePicture(tx: Tx, row: PictureRow): Promise<string[]> {
  const { accountId, id } = row;
  const fileIds = await lockFileIds(tx, accountId, sql`id = ${id}`);
  await tx.picture.delete({ where: { id, accountId }, select: { id: true } });
  const { updatedAt: _updatedAt, ...deleted } = row;
  await tx.deletedPicture.create({ data: deleted, select: { id: true } });
  await executeSql(tx)`
    UPDATE pictures SET position = position - 1
    WHERE ${whereSameGallery(row)} AND position > ${row.position}`;
  return fileIds.filter((fileId) => fileId !== row.fileId);
}

/** List the deleted pictures of a gallery, the last deleted first. */
export async function listDeletedPictures(
  db: Db,
  accountId: string,
  gallery: GalleryKey,
  deletedSince: Date,
  take: number,
): Promise<DeletedPictureRow[]> {
  return db.deletedPicture.findMany({
    where: { ...gallery, accountId, deletedAt: { gt: deletedSince } },
    orderBy: [{ deletedAt: 'desc' }, { id: 'desc' }],
    take,
  });
}

/** Find a deleted picture that can still be restored. */
export async function findDeletedPicture(
  db: Db,
  accountId: string,
  gallery: GalleryKey,
  id: string,
  deletedSince: Date,
): Promise<DeletedPictureRow | null> {
  return db.deletedPicture.findFirst({
    where: { ...gallery, accountId, id, deletedAt: { gt: deletedSince } },
  });
}

/** Restore a deleted picture at a position, and shift the others. The gallery must be locked. */
export async function restorePicture(tx: Tx, row: DeletedPictureRow, position: number): Promise<PictureRow> {
  const { deletedAt: _deletedAt, ...picture } = row;
  await tx.deletedPicture.delete({
    where: { id: row.id, accountId: row.accountId },
    select: { id: true },
  });
  await executeSql(tx)`
    UPDATE pictures SET position = position + 1 WHERE ${whereSameGallery(row)} AND position >= ${position}`;
  return tx.picture.create({ data: { ...picture, position, version: row.version + 1 } });
}

/** Remove deleted pictures for good: one, or those of before a time. Returns their file ids. */
export async function removeDeletedPictures(
  tx: Tx,
  which: (GalleryKey & { accountId: string; id: string }) | { deletedBefore: Date },
  limit: number,
): Promise<string[]> {
  const where = 'id' in which ? which : { deletedAt: { lt: which.deletedBefore } };
  const rows = await tx.deletedPicture.findMany({
    where,
    orderBy: [{ deletedAt: 'asc' }, { id: 'asc' }],
    take: limit,
    select: { id: true },
  });
  const removed = await querySql<{ fileId: string }>(tx)`
    DELETE FROM deleted_pictures WHERE id = ANY(${rows.map(({ id }) => id)}::text[])
    RETURNING file_id AS "fileId"`;
  return removed.map(({ fileId }) => fileId);
}

/** Delete all pictures of a gallery, also the deleted ones. Returns the unreferenced file ids. The gallery must be locked. */
export async function deletePictures(tx: Tx, accountId: string, gallery: GalleryKey): Promise<string[]> {
  const fileIds = await lockFileIds(tx, accountId, whereGallery(gallery));
  const where = { ...gallery, accountId };
  await tx.picture.deleteMany({ where });
  const deleted = await tx.deletedPicture.findMany({ where, select: { fileId: true } });
  await tx.deletedPicture.deleteMany({ where });
  return [...fileIds, ...deleted.map(({ fileId }) => fileId)];
}

export async function findPicturesByIds(db: Db, accountId: string, ids: string[]): Promise<PictureRow[]> {
  return db.picture.findMany({
    where: { accountId, id: { in: ids } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
}

/** Names no account. */
function whereGallery(gallery: GalleryKey): Prisma.Sql {
  return 'qrCodeId' in gallery
    ? sql`qr_code_id = ${gallery.qrCodeId}`
    : sql`memory_tag_id = ${gallery.memoryTagId}`;
}

function whereSameGallery({
  accountId,
  memoryTagId,
  qrCodeId,
}: Pick<PictureRow, 'accountId' | 'memoryTagId' | 'qrCodeId'>): Prisma.Sql {
  const gallery = memoryTagId === null ? { qrCodeId: qrCodeId ?? '' } : { memoryTagId };
  return sql`account_id = ${accountId} AND ${whereGallery(gallery)}`;
}

/** Lock pictures, and list the files of their originals and renditions. */
async function lockFileIds(tx: Tx, accountId: string, condition: Prisma.Sql): Promise<string[]> {
  // Two statements: only the second one sees renditions committed while the lock was awaited.
  const pictures = await querySql<{ id: string; fileId: string }>(tx)`
    SELECT id, file_id AS "fileId" FROM pictures
    WHERE account_id = ${accountId} AND ${condition} ORDER BY id FOR UPDATE`;
  const renditions = await querySql<{ fileId: string }>(tx)`
    SELECT file_id AS "fileId" FROM picture_renditions
    WHERE picture_id = ANY(${pictures.map(({ id }) => id)}::text[]) AND file_id IS NOT NULL`;
  return [...pictures, ...renditions].map(({ fileId }) => fileId);
}
