import type { Db, Tx } from '../../platform/database.ts';
import { newId } from '../../shared/ids.ts';
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

/** A memory tag of a person; null when it is absent or somebody else's. */
export async function findMemoryTag(db: Db, ownerId: string, id: string) {
  return db.memoryTag.findFirst({ where: { id, ownerId } });
}

/** The same, locked for this transaction, so that two changes come one after the other. */
export async function lockMemoryTag(tx: Tx, ownerId: string, id: string): Promise<MemoryTagRow | null> {
  await tx.$queryRaw`SELECT FROM memory_tags WHERE id = ${id} AND owner_id = ${ownerId} FOR UPDATE`;
  return findMemoryTag(tx, ownerId, id);
}

/** Adds a memory tag. */
export async function insertMemoryTag(
  tx: Tx,
  ownerId: string,
  fields: MemoryTagFields & { name: string },
): Promise<MemoryTagRow> {
  return tx.memoryTag.create({ data: { id: newId(), ownerId, ...fields } });
}

/** Changes a memory tag that this transaction has locked. */
export async function changeMemoryTag(tx: Tx, id: string, fields: MemoryTagFields): Promise<MemoryTagRow> {
  return tx.memoryTag.update({
    where: { id },
    data: { ...fields, version: { increment: 1 }, updatedAt: new Date() },
  });
}

/** Deletes a memory tag that this transaction has locked. */
export async function deleteMemoryTag(tx: Tx, id: string): Promise<void> {
  await tx.memoryTag.delete({ where: { id }, select: { id: true } });
}
