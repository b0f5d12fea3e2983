import type { Db, Tx } from '../../platform/database.ts';
import type { TimeCursor } from '../../shared/time-cursor.ts';
import type { GuestBookEntryState } from './guest-book.schemas.ts';

/** An entry of a guest book as the table holds it. */
export type GuestBookEntryRow = NonNullable<Awaited<ReturnType<typeof findGuestBookEntry>>>;

/** An entry as it is to be stored. */
export interface NewGuestBookEntry {
  id: string;
  memoryTagId: string;
  ownerId: string;
  content: Buffer<ArrayBuffer>;
  createdAt: Date;
}

const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

/** Adds an entry, which waits for a decision. */
export async function insertGuestBookEntry(tx: Tx, entry: NewGuestBookEntry): Promise<void> {
  await tx.guestBookEntry.create({ data: entry, select: { id: true } });
}

/** An entry of a guest book; null when there is none of this id in it. */
export async function findGuestBookEntry(db: Db, memoryTagId: string, id: string) {
  return db.guestBookEntry.findFirst({ where: { id, memoryTagId } });
}

/** An entry of whichever guest book; null when there is none of this id. */
export async function findGuestBookEntryById(db: Db, id: string): Promise<GuestBookEntryRow | null> {
  return db.guestBookEntry.findUnique({ where: { id } });
}

/** A page of a guest book, newest first, and how many entries there are; of one state where it is given. */
export async function listGuestBookEntries(
  db: Db,
  memoryTagId: string,
  state: GuestBookEntryState | undefined,
  page: { skip: number; take: number },
): Promise<{ rows: GuestBookEntryRow[]; total: number }> {
  const where = { memoryTagId, ...(state && { state }) };
  const [rows, total] = await Promise.all([
    db.guestBookEntry.findMany({ where, orderBy: NEWEST_FIRST, ...page }),
    db.guestBookEntry.count({ where }),
  ]);
  return { rows, total };
}

/** Entries after a place in that order; null is its beginning. */
export async function listGuestBookEntriesAfter(
  db: Db,
  memoryTagId: string,
  state: GuestBookEntryState | undefined,
  after: TimeCursor | null,
  take: number,
): Promise<GuestBookEntryRow[]> {
  const beyond = after && {
    OR: [{ createdAt: { lt: after.at } }, { createdAt: after.at, id: { lt: after.id } }],
  };
  return db.guestBookEntry.findMany({
    where: { memoryTagId, ...(state && { state }), ...beyond },
    orderBy: NEWEST_FIRST,
    take,
  });
}

/** Whether as many entries as this wait for a decision. */
export async function isPendingLimitReached(
  db: Db,
  memoryTagId: string,
  maxPending: number,
): Promise<boolean> {
  const where = { memoryTagId, state: 'PENDING' };
  return (
    (await db.guestBookEntry.findMany({ where, select: { id: true }, take: maxPending })).length >= maxPending
  );
}

/** Decides about an entry. */
export async function updateGuestBookEntryState(
  tx: Tx,
  id: string,
  state: GuestBookEntryState,
): Promise<GuestBookEntryRow> {
  const decidedAt = state === 'PENDING' ? null : new Date();
  return tx.guestBookEntry.update({ where: { id }, data: { state, decidedAt } });
}

/** Deletes an entry of a guest book; false where there is none of this id in it. */
export async function deleteGuestBookEntry(tx: Tx, memoryTagId: string, id: string): Promise<boolean> {
  const { count } = await tx.guestBookEntry.deleteMany({ where: { id, memoryTagId } });
  return count === 1;
}
