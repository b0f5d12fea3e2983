import type { Db, Tx } from '../../platform/database.ts';
import { createAfterFilter } from '../../platform/list-order.repository.ts';
import { executeSql } from '../../platform/sql.ts';
import type { ListRange } from '../../shared/list-cursor.ts';
import type { TimeCursor } from '../../shared/time-cursor.ts';
import type { GuestBookEntryState } from './guest-book.schemas.ts';

export type GuestBookEntryRow = NonNullable<Awaited<ReturnType<typeof findGuestBookEntry>>>;

export interface NewGuestBookEntry {
  id: string;
  memoryTagId: string;
  accountId: string;
  content: Buffer<ArrayBuffer>;
  /** Keyed hash of the network that it came from. */
  networkHash: Buffer<ArrayBuffer>;
  createdAt: Date;
}

const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

/** Insert an entry in the state PENDING. */
export async function insertGuestBookEntry(tx: Tx, entry: NewGuestBookEntry): Promise<void> {
  await tx.guestBookEntry.create({ data: entry, select: { id: true } });
}

/** Not a deleted one. */
export async function findGuestBookEntry(db: Db, memoryTagId: string, id: string) {
  return db.guestBookEntry.findFirst({ where: { id, memoryTagId, deletedAt: null } });
}

/** Find a deleted entry that can still be restored. */
export async function findDeletedGuestBookEntry(
  db: Db,
  memoryTagId: string,
  id: string,
  deletedSince: Date,
): Promise<GuestBookEntryRow | null> {
  return db.guestBookEntry.findFirst({ where: { id, memoryTagId, deletedAt: { gt: deletedSince } } });
}

/** Find an entry of any guest book, which its author can withdraw, though its owner has deleted it. */
export async function findGuestBookEntryById(db: Db, id: string): Promise<GuestBookEntryRow | null> {
  return db.guestBookEntry.findUnique({ where: { id } });
}

export async function listGuestBookEntries(
  db: Db,
  memoryTagId: string,
  states: readonly GuestBookEntryState[],
  { skip, take, after }: ListRange,
): Promise<{ rows: GuestBookEntryRow[]; total: number }> {
  const where = { memoryTagId, deletedAt: null, ...whereState(states) };
  const [rows, total] = await Promise.all([
    db.guestBookEntry.findMany({
      where: { ...where, ...createAfterFilter('createdAt', after) },
      orderBy: NEWEST_FIRST,
      skip,
      take,
    }),
    db.guestBookEntry.count({ where }),
  ]);
  return { rows, total };
}

/** List deleted entries that can be restored, the last deleted first. */
export async function listDeletedGuestBookEntries(
  db: Db,
  memoryTagId: string,
  { states, deletedSince }: { states: readonly GuestBookEntryState[]; deletedSince: Date },
  { skip, take, after }: ListRange,
): Promise<{ rows: GuestBookEntryRow[]; total: number }> {
  const where = { memoryTagId, deletedAt: { gt: deletedSince }, ...whereState(states) };
  const [rows, total] = await Promise.all([
    db.guestBookEntry.findMany({
      where: { AND: [where, createAfterFilter('deletedAt', after) ?? {}] },
      orderBy: [{ deletedAt: 'desc' }, { id: 'desc' }],
      skip,
      take,
    }),
    db.guestBookEntry.count({ where }),
  ]);
  return { rows, total };
}

function whereState(states: readonly GuestBookEntryState[]) {
  return states.length > 0 ? { state: { in: [...states] } } : {};
}

export async function listGuestBookEntriesAfter(
  db: Db,
  memoryTagId: string,
  state: GuestBookEntryState | undefined,
  after: TimeCursor | null,
  take: number,
): Promise<GuestBookEntryRow[]> {
  const afterCursor = after && {
    OR: [{ createdAt: { lt: after.at } }, { createdAt: after.at, id: { lt: after.id } }],
  };
  return db.guestBookEntry.findMany({
    where: { memoryTagId, deletedAt: null, ...(state && { state }), ...afterCursor },
    orderBy: NEWEST_FIRST,
    take,
  });
}

/** Count the entries that wait for a decision, without deleted ones. */
export async function countPendingEntries(db: Db, memoryTagId: string): Promise<number> {
  return db.guestBookEntry.count({ where: { memoryTagId, state: 'PENDING', deletedAt: null } });
}

/**
 * Delete pending entries beyond a number: those of the network with the most first, its oldest first, so that a flood
 * displaces itself and not the entries of others. Returns the number deleted.
 */
export async function deleteSurplusPendingEntries(
  tx: Tx,
  memoryTagId: string,
  maxPending: number,
): Promise<number> {
  return executeSql(tx)`
    DELETE FROM guest_book_entries WHERE id IN (
      SELECT id FROM (
        SELECT id, created_at, count(*) OVER (PARTITION BY coalesce(network_hash, id::bytea)) AS of_network
        FROM guest_book_entries
        WHERE memory_tag_id = ${memoryTagId} AND state = 'PENDING' AND deleted_at IS NULL) AS pending
      ORDER BY of_network DESC, created_at, id
      LIMIT greatest(0, (SELECT count(*) FROM guest_book_entries
                         WHERE memory_tag_id = ${memoryTagId} AND state = 'PENDING' AND deleted_at IS NULL)
                        - ${maxPending}::int))`;
}

export async function updateGuestBookEntryState(
  tx: Tx,
  id: string,
  state: GuestBookEntryState,
): Promise<GuestBookEntryRow> {
  const decidedAt = state === 'PENDING' ? null : new Date();
  return tx.guestBookEntry.update({ where: { id }, data: { state, decidedAt } });
}

/** Delete an entry, so that it can be restored; false if there is none. */
export async function softDeleteGuestBookEntry(tx: Tx, memoryTagId: string, id: string): Promise<boolean> {
  const { count } = await tx.guestBookEntry.updateMany({
    where: { id, memoryTagId, deletedAt: null },
    data: { deletedAt: new Date() },
  });
  return count === 1;
}

/** Restore a deleted entry in the state that it had. */
export async function restoreGuestBookEntry(tx: Tx, id: string): Promise<GuestBookEntryRow> {
  return tx.guestBookEntry.update({ where: { id }, data: { deletedAt: null } });
}

/** Remove entries that were deleted before a time. Returns the number removed. */
export async function removeDeletedGuestBookEntries(db: Db, before: Date, limit: number): Promise<number> {
  return executeSql(db)`
    DELETE FROM guest_book_entries WHERE id IN (
      SELECT id FROM guest_book_entries WHERE deleted_at < ${before} LIMIT ${limit})
      -- Again, for an entry that is restored meanwhile.
      AND deleted_at < ${before}`;
}

/** Remove an entry of a guest book for good, also a deleted one; false if there is none. */
export async function deleteGuestBookEntry(tx: Tx, memoryTagId: string, id: string): Promise<boolean> {
  const { count } = await tx.guestBookEntry.deleteMany({ where: { id, memoryTagId } });
  return count === 1;
}
