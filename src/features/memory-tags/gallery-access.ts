import type { Db, Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { findMemoryTag, lockMemoryTag, type MemoryTagRow } from './memory-tag.repository.ts';

/** A memory tag whose pictures somebody may see and change. Throws NOT_FOUND. */
export async function galleryTag(db: Db, userId: string, tagId: string): Promise<MemoryTagRow> {
  const row = await findMemoryTag(db, userId, tagId);
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

/** The same, locked for this transaction: changes of one gallery come one after the other. Throws NOT_FOUND. */
export async function lockGalleryTag(tx: Tx, userId: string, tagId: string): Promise<MemoryTagRow> {
  const row = await lockMemoryTag(tx, userId, tagId);
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}
