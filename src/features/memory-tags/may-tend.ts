import type { Db, Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { isCaretaker } from './caretaker.repository.ts';
import { findMemoryTag, holdMemoryTag, type MemoryTagRow } from './memory-tag.repository.ts';
import type { Role } from './memory-tag.view.ts';

/** A memory tag, and what somebody is to it. */
export interface Tended {
  row: MemoryTagRow;
  role: Role;
}

/**
 * A memory tag that somebody may read, and whose texts, pictures and guest book they may change: as its owner, or because
 * its owner named them. Null for all others, as where it is absent.
 */
export async function tendedTag(db: Db, userId: string, tagId: string): Promise<Tended | null> {
  const row = await findMemoryTag(db, tagId);
  if (!row) return null;
  if (row.ownerId === userId) return { row, role: 'OWNER' };
  return (await isCaretaker(db, tagId, userId)) ? { row, role: 'CARETAKER' } : null;
}

/** The same, held for this transaction: a right that is taken back meanwhile changes nothing any more. Throws NOT_FOUND. */
export async function holdTendedTag(tx: Tx, userId: string, tagId: string): Promise<Tended> {
  await holdMemoryTag(tx, tagId);
  const tended = await tendedTag(tx, userId, tagId);
  if (!tended) throw new ServiceError('NOT_FOUND');
  return tended;
}

/** The same for what only the owner does. Throws NOT_FOUND, and FORBIDDEN for a caretaker. */
export async function holdOwnTag(tx: Tx, userId: string, tagId: string): Promise<MemoryTagRow> {
  const { row, role } = await holdTendedTag(tx, userId, tagId);
  if (role !== 'OWNER') throw ownersAlone();
  return row;
}

/** What a caretaker is told of what only the owner does. */
export function ownersAlone(): ServiceError {
  return new ServiceError('FORBIDDEN', { detail: 'Only the owner of the memory tag can do this.' });
}
