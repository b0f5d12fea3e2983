import type { Db, Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { holdTendedTag, tendedTag } from './may-tend.ts';
import type { MemoryTagRow } from './memory-tag.repository.ts';

/** A memory tag whose pictures somebody may see and change: its owner, or a caretaker. Throws NOT_FOUND. */
export async function galleryTag(db: Db, userId: string, tagId: string): Promise<MemoryTagRow> {
  const tended = await tendedTag(db, userId, tagId);
  if (!tended) throw new ServiceError('NOT_FOUND');
  return tended.row;
}

/** The same, held for this transaction: changes of one gallery come one after the other. Throws NOT_FOUND. */
export async function lockGalleryTag(tx: Tx, userId: string, tagId: string): Promise<MemoryTagRow> {
  return (await holdTendedTag(tx, userId, tagId)).row;
}
