import { Prisma } from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database.ts';
import { generateId } from '../../shared/ids.ts';
import { findMemoryTagOfCode } from './memory-tag.repository.ts';

/** A picture of a memory tag as the table holds it. */
export type PictureRow = NonNullable<Awaited<ReturnType<typeof findPicture>>>;

/** The pictures of a memory tag in their order, some of them. */
export async function listPictures(
  db: Db,
  memoryTagId: string,
  page: { skip?: number; take?: number } = {},
): Promise<PictureRow[]> {
  return db.memoryTagPicture.findMany({ where: { memoryTagId }, orderBy: { position: 'asc' }, ...page });
}

/** How many pictures a memory tag has. */
export async function countPictures(db: Db, memoryTagId: string): Promise<number> {
  return db.memoryTagPicture.count({ where: { memoryTagId } });
}

/** A picture of a memory tag; null where it has none such. */
export async function findPicture(db: Db, memoryTagId: string, id: string) {
  return db.memoryTagPicture.findFirst({ where: { id, memoryTagId } });
}

/** The pictures that the page of a code shows, in their order: of the first of its owner's memory tags that are bound to it. */
export async function listPicturesOfCode(
  db: Db,
  code: { id: string; ownerId: string },
): Promise<PictureRow[]> {
  const tag = await findMemoryTagOfCode(db, code);
  return tag ? listPictures(db, tag.id) : [];
}

/** Adds a picture behind the others of a memory tag that this transaction has locked. */
export async function insertPicture(
  tx: Tx,
  picture: Pick<
    PictureRow,
    'memoryTagId' | 'ownerId' | 'fileId' | 'format' | 'width' | 'height' | 'size' | 'position' | 'caption'
  >,
): Promise<PictureRow> {
  return tx.memoryTagPicture.create({ data: { id: generateId(), ...picture } });
}

/** Changes caption and place of a picture of a memory tag that this transaction has locked; the others make room. */
export async function updatePicture(
  tx: Tx,
  { id, memoryTagId, position: before }: PictureRow,
  { caption, position }: { caption: string | null; position: number },
): Promise<PictureRow> {
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

/** Takes a picture off a memory tag that this transaction has locked, and closes the gap. Answers which files nothing names any more. */
export async function deletePicture(tx: Tx, { id, memoryTagId, position }: PictureRow): Promise<string[]> {
  const fileIds = await lockFileIds(tx, Prisma.sql`id = ${id}`);
  await tx.memoryTagPicture.delete({ where: { id }, select: { id: true } });
  await tx.$executeRaw`
    UPDATE memory_tag_pictures SET position = position - 1
    WHERE memory_tag_id = ${memoryTagId} AND position > ${position}`;
  return fileIds;
}

/** Takes all pictures off a memory tag that this transaction has locked. Answers which files nothing names any more. */
export async function deletePictures(tx: Tx, memoryTagId: string): Promise<string[]> {
  const fileIds = await lockFileIds(tx, Prisma.sql`memory_tag_id = ${memoryTagId}`);
  await tx.memoryTagPicture.deleteMany({ where: { memoryTagId } });
  return fileIds;
}

/** The files of pictures and of what was drawn of them. */
async function lockFileIds(tx: Tx, which: Prisma.Sql): Promise<string[]> {
  // A statement of its own: only the next sees what somebody named who held a picture until now.
  const pictures = await tx.$queryRaw<{ id: string; fileId: string }[]>`
    SELECT id, file_id AS "fileId" FROM memory_tag_pictures WHERE ${which} ORDER BY id FOR UPDATE`;
  const renditions = await tx.$queryRaw<{ fileId: string }[]>`
    SELECT file_id AS "fileId" FROM picture_renditions
    WHERE picture_id = ANY(${pictures.map(({ id }) => id)}::text[]) AND file_id IS NOT NULL`;
  return [...pictures, ...renditions].map(({ fileId }) => fileId);
}
