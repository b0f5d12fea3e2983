import type { Db, Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { isCaretaker } from './caretaker.repository.ts';
import { findMemoryTag, lockMemoryTag, type MemoryTagRow } from './memory-tag.repository.ts';
import type { MemoryTagRole } from './memory-tag.view.ts';

/** A memory tag, and what somebody is to it. */
export interface MemoryTagAccess {
  row: MemoryTagRow;
  role: MemoryTagRole;
}

/**
 * A memory tag that somebody may read, and whose texts, pictures and guest book they may change: as its owner, or because
 * its owner named them. Null for all others, as where it is absent.
 */
export async function findEditableTag(
  db: Db,
  userId: string,
  tagId: string,
): Promise<MemoryTagAccess | null> {
  const row = await findMemoryTag(db, tagId);
  if (!row) return null;
  if (row.ownerId === userId) return { row, role: 'OWNER' };
  return (await isCaretaker(db, tagId, userId)) ? { row, role: 'CARETAKER' } : null;
}

/** The same, held for this transaction: a right that is taken back meanwhile changes nothing any more. Throws NOT_FOUND. */
export async function lockEditableTag(tx: Tx, userId: string, tagId: string): Promise<MemoryTagAccess> {
  await lockMemoryTag(tx, tagId);
  const access = await findEditableTag(tx, userId, tagId);
  if (!access) throw new ServiceError('NOT_FOUND');
  return access;
}

/** The same for what only the owner does. Throws NOT_FOUND, and FORBIDDEN for a caretaker. */
export async function lockOwnTag(tx: Tx, userId: string, tagId: string): Promise<MemoryTagRow> {
  const { row, role } = await lockEditableTag(tx, userId, tagId);
  if (role !== 'OWNER') throw createOwnerOnlyError();
  return row;
}

/** What a caretaker is told of what only the owner does. */
export function createOwnerOnlyError(): ServiceError {
  return new ServiceError('FORBIDDEN', { detail: 'Only the owner of the memory tag can do this.' });
}
