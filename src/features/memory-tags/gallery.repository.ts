import { Prisma } from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database.ts';
import { generateId } from '../../shared/ids.ts';
import { findMemoryTagOfCode } from './memory-tag.repository.ts';

export type MemoryTagPictureRow = NonNullable<Awaited<ReturnType<typeof findMemoryTagPicture>>>;

export async function listMemoryTagPictures(
  db: Db,
  memoryTagId: string,
  page: { skip?: number; take?: number } = {},
): Promise<MemoryTagPictureRow[]> {
  return db.memoryTagPicture.findMany({ where: { memoryTagId }, orderBy: { position: 'asc' }, ...page });
}

export async function countMemoryTagPictures(db: Db, memoryTagId: string): Promise<number> {
  return db.memoryTagPicture.count({ where: { memoryTagId } });
}

export async function findMemoryTagPicture(db: Db, memoryTagId: string, id: string) {
  return db.memoryTagPicture.findFirst({ where: { id, memoryTagId } });
}

/** List the pictures that the page of a code shows, by position. */
export async function listMemoryTagPicturesOfCode(
  db: Db,
  code: { id: string; ownerId: string },
): Promise<MemoryTagPictureRow[]> {
  const tag = await findMemoryTagOfCode(db, code);
  return tag ? listMemoryTagPictures(db, tag.id) : [];
}

/** Insert a picture at the end. The memory tag must be locked by this transaction. */
export async function insertMemoryTagPicture(
  tx: Tx,
  picture: Pick<
    MemoryTagPictureRow,
    'memoryTagId' | 'ownerId' | 'fileId' | 'format' | 'width' | 'height' | 'size' | 'position' | 'caption'
  >,
): Promise<MemoryTagPictureRow> {
  return tx.memoryTagPicture.create({ data: { id: generateId(), ...picture } });
}

/** Update caption and position of a picture, and shift the others. The memory tag must be locked by this transaction. */
export async function updateMemoryTagPicture(
  tx: Tx,
  { id, memoryTagId, position: before }: MemoryTagPictureRow,
  { caption, position }: { caption: string | null; position: number },
): Promise<MemoryTagPictureRow> {
  if (position !== before) {
    const [first, last] = [Math.min(before, position), Math.max(before, position)];
    const step = position < before ? 1 : -1;
    await tx.$executeRaw`
      UPDATE memory_tag_pictures
      SET position = CASE WHEN id = ${id} THEN ${position}::int ELSE position + ${step}::int END
      WHERE memory_tag_id = ${memoryTagId} AND position BETWEEN ${first} AND ${last}`;
  }
  return tx.memoryTagPicture.update({
    where: { id },
    data: { caption, version: { increment: 1 }, updatedAt: new Date() },
  });
}

/** Delete a picture and shift the others. Returns the unreferenced file ids. The memory tag must be locked. */
export async function deleteMemoryTagPicture(
  tx: Tx,
  { id, memoryTagId, position }: MemoryTagPictureRow,
): Promise<string[]> {
  const fileIds = await lockFileIds(tx, Prisma.sql`id = ${id}`);
  await tx.memoryTagPicture.delete({ where: { id }, select: { id: true } });
  await tx.$executeRaw`
    UPDATE memory_tag_pictures SET position = position - 1
    WHERE memory_tag_id = ${memoryTagId} AND position > ${position}`;
  return fileIds;
}

/** Delete all pictures of a memory tag. Returns the unreferenced file ids. The memory tag must be locked. */
export async function deleteMemoryTagPictures(tx: Tx, memoryTagId: string): Promise<string[]> {
  const fileIds = await lockFileIds(tx, Prisma.sql`memory_tag_id = ${memoryTagId}`);
  await tx.memoryTagPicture.deleteMany({ where: { memoryTagId } });
  return fileIds;
}

// Original files and renditions.
async function lockFileIds(tx: Tx, which: Prisma.Sql): Promise<string[]> {
  // Two statements: only the second one sees renditions committed while the lock was awaited.
  const pictures = await tx.$queryRaw<{ id: string; fileId: string }[]>`
    SELECT id, file_id AS "fileId" FROM memory_tag_pictures WHERE ${which} ORDER BY id FOR UPDATE`;
  const renditions = await tx.$queryRaw<{ fileId: string }[]>`
    SELECT file_id AS "fileId" FROM picture_renditions
    WHERE picture_id = ANY(${pictures.map(({ id }) => id)}::text[]) AND file_id IS NOT NULL`;
  return [...pictures, ...renditions].map(({ fileId }) => fileId);
}
