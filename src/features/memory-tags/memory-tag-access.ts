import type { Db, Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { isCaretaker } from './caretaker.repository.ts';
import { findMemoryTag, lockMemoryTag, type MemoryTagRow } from './memory-tag.repository.ts';
import type { MemoryTagRole } from './memory-tag.view.ts';

export interface MemoryTagAccess {
  row: MemoryTagRow;
  role: MemoryTagRole;
}

/** Find a memory tag that a user may read and edit as its owner or a caretaker. */
export async function findEditableMemoryTag(
  db: Db,
  userId: string,
  tagId: string,
): Promise<MemoryTagAccess | null> {
  const row = await findMemoryTag(db, tagId);
  if (!row) return null;
  if (row.accountId === userId) return { row, role: 'OWNER' };
  return (await isCaretaker(db, tagId, userId)) ? { row, role: 'CARETAKER' } : null;
}

/** Find and lock a memory tag that a user may read and edit. @throws NOT_FOUND */
export async function lockEditableMemoryTag(tx: Tx, userId: string, tagId: string): Promise<MemoryTagAccess> {
  await lockMemoryTag(tx, tagId);
  const access = await findEditableMemoryTag(tx, userId, tagId);
  if (!access) throw new ServiceError('NOT_FOUND');
  return access;
}

/**
 * Find and lock a memory tag for a change that only its owner may make.
 * @throws NOT_FOUND, FORBIDDEN for a caretaker
 */
export async function lockOwnMemoryTag(tx: Tx, userId: string, tagId: string): Promise<MemoryTagRow> {
  const { row, role } = await lockEditableMemoryTag(tx, userId, tagId);
  if (role !== 'OWNER') throw createMemoryTagOwnerOnlyError();
  return row;
}

/** Create the error for a caretaker who tries what only the owner may do. */
export function createMemoryTagOwnerOnlyError(): ServiceError {
  return new ServiceError('FORBIDDEN', { detail: 'Only the owner of the memory tag can do this.' });
}
