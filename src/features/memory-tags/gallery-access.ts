import type { Db, Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { MemoryTagRow } from './memory-tag.repository.ts';
import { findEditableMemoryTag, lockEditableMemoryTag } from './memory-tag-access.ts';

/** Find a memory tag whose gallery a user can edit. @throws NOT_FOUND */
export async function requireEditableMemoryTag(db: Db, userId: string, tagId: string): Promise<MemoryTagRow> {
  const access = await findEditableMemoryTag(db, userId, tagId);
  if (!access) throw new ServiceError('NOT_FOUND');
  return access.row;
}

/**
 * Find and lock a memory tag whose gallery a user can edit, so that changes of the gallery are serialized.
 * @throws NOT_FOUND
 */
export async function lockEditableMemoryTagRow(tx: Tx, userId: string, tagId: string): Promise<MemoryTagRow> {
  return (await lockEditableMemoryTag(tx, userId, tagId)).row;
}
