import type { Db, Tx } from '../../platform/database.ts';
import type { TimeCursor } from '../../shared/time-cursor.ts';
import type { EntryState } from './guest-book.schemas.ts';

/** An entry of a guest book as the table holds it. */
export type EntryRow = NonNullable<Awaited<ReturnType<typeof findEntry>>>;

/** An entry as it is to be stored. */
export interface NewEntry {
  id: string;
  memoryTagId: string;
  ownerId: string;
  content: Buffer<ArrayBuffer>;
  createdAt: Date;
}

const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

/** Adds an entry, which waits for a decision. */
export async function insertEntry(tx: Tx, entry: NewEntry): Promise<void> {
  await tx.guestBookEntry.create({ data: entry, select: { id: true } });
}

/** An entry of a guest book; null when there is none of this id in it. */
export async function findEntry(db: Db, memoryTagId: string, id: string) {
  return db.guestBookEntry.findFirst({ where: { id, memoryTagId } });
}

/** An entry of whichever guest book; null when there is none of this id. */
export async function findEntryOfAny(db: Db, id: string): Promise<EntryRow | null> {
  return db.guestBookEntry.findUnique({ where: { id } });
}

/** A page of a guest book, newest first, and how many entries there are; of one state where it is given. */
export async function listEntries(
  db: Db,
  memoryTagId: string,
  state: EntryState | undefined,
  page: { skip: number; take: number },
): Promise<{ rows: EntryRow[]; total: number }> {
  const where = { memoryTagId, ...(state && { state }) };
  const [rows, total] = await Promise.all([
    db.guestBookEntry.findMany({ where, orderBy: NEWEST_FIRST, ...page }),
    db.guestBookEntry.count({ where }),
  ]);
  return { rows, total };
}

/** Entries after a place in that order; null is its beginning. */
export async function listEntriesAfter(
  db: Db,
  memoryTagId: string,
  state: EntryState | undefined,
  after: TimeCursor | null,
  take: number,
): Promise<EntryRow[]> {
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
export async function isFull(db: Db, memoryTagId: string, most: number): Promise<boolean> {
  const where = { memoryTagId, state: 'PENDING' };
  return (await db.guestBookEntry.findMany({ where, select: { id: true }, take: most })).length >= most;
}

/** Decides about an entry. */
export async function decideEntry(tx: Tx, id: string, state: EntryState): Promise<EntryRow> {
  const decidedAt = state === 'PENDING' ? null : new Date();
  return tx.guestBookEntry.update({ where: { id }, data: { state, decidedAt } });
}

/** Deletes an entry of a guest book; false where there is none of this id in it. */
export async function deleteEntry(tx: Tx, memoryTagId: string, id: string): Promise<boolean> {
  const { count } = await tx.guestBookEntry.deleteMany({ where: { id, memoryTagId } });
  return count === 1;
}
