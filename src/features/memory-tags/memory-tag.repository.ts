import type { Db, Tx } from '../../platform/database.ts';
import { generateId } from '../../shared/ids.ts';
import type { MemoryTagFields } from './memory-tag.rules.ts';

/** A memory tag as the table holds it. */
export type MemoryTagRow = NonNullable<Awaited<ReturnType<typeof findMemoryTag>>>;

/** A page of a person's memory tags, newest first, and how many there are. */
export async function listMemoryTags(
  db: Db,
  ownerId: string,
  page: { skip: number; take: number },
): Promise<{ rows: MemoryTagRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    // An id knows only the second.
    db.memoryTag.findMany({ where: { ownerId }, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], ...page }),
    db.memoryTag.count({ where: { ownerId } }),
  ]);
  return { rows, total };
}

/** A memory tag, whoever's it is: see `tendedTag` for whether somebody may. */
export async function findMemoryTag(db: Db, id: string) {
  return db.memoryTag.findUnique({ where: { id } });
}

/** The memory tag that the page of a code shows: the first of those of its owner that are bound to it. */
export async function findMemoryTagOfCode(
  db: Db,
  { id: qrCodeId, ownerId }: { id: string; ownerId: string },
): Promise<MemoryTagRow | null> {
  return db.memoryTag.findFirst({
    where: { qrCodeId, ownerId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

/** Has others who change a memory tag wait until this transaction ends. */
export async function lockMemoryTag(tx: Tx, id: string): Promise<void> {
  await tx.$queryRaw`SELECT FROM memory_tags WHERE id = ${id} FOR UPDATE`;
}

/** Keeps a memory tag from being deleted until this transaction ends. False where it is gone. */
export async function lockMemoryTagForKeyShare(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 FROM memory_tags WHERE id = ${id} FOR KEY SHARE`;
  return rows.length > 0;
}

/** Adds a memory tag. */
export async function insertMemoryTag(
  tx: Tx,
  ownerId: string,
  fields: MemoryTagFields & { name: string },
): Promise<MemoryTagRow> {
  return tx.memoryTag.create({ data: { id: generateId(), ownerId, ...fields } });
}

/** Changes a memory tag that this transaction holds. */
export async function updateMemoryTag(tx: Tx, id: string, fields: MemoryTagFields): Promise<MemoryTagRow> {
  return tx.memoryTag.update({
    where: { id },
    data: { ...fields, version: { increment: 1 }, updatedAt: new Date() },
  });
}

/** Deletes a memory tag that this transaction holds. */
export async function deleteMemoryTag(tx: Tx, id: string): Promise<void> {
  await tx.memoryTag.delete({ where: { id }, select: { id: true } });
}
