import type { Db, Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { MemoryTagRow } from './memory-tag.repository.ts';
import { findEditableTag, lockEditableTag } from './memory-tag-access.ts';

/** A memory tag whose pictures somebody may see and change: its owner, or a caretaker. Throws NOT_FOUND. */
export async function getGalleryTag(db: Db, userId: string, tagId: string): Promise<MemoryTagRow> {
  const access = await findEditableTag(db, userId, tagId);
  if (!access) throw new ServiceError('NOT_FOUND');
  return access.row;
}

/** The same, held for this transaction: changes of one gallery come one after the other. Throws NOT_FOUND. */
export async function lockGalleryTag(tx: Tx, userId: string, tagId: string): Promise<MemoryTagRow> {
  return (await lockEditableTag(tx, userId, tagId)).row;
}
