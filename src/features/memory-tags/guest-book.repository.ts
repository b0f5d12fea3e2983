import type { Db, Tx } from '../../platform/database.ts';
import type { TimeCursor } from '../../shared/time-cursor.ts';
import type { GuestBookEntryState } from './guest-book.schemas.ts';

export type GuestBookEntryRow = NonNullable<Awaited<ReturnType<typeof findGuestBookEntry>>>;

export interface NewGuestBookEntry {
  id: string;
  memoryTagId: string;
  ownerId: string;
  content: Buffer<ArrayBuffer>;
  createdAt: Date;
}

const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

/** Insert an entry in the state PENDING. */
export async function insertGuestBookEntry(tx: Tx, entry: NewGuestBookEntry): Promise<void> {
  await tx.guestBookEntry.create({ data: entry, select: { id: true } });
}

export async function findGuestBookEntry(db: Db, memoryTagId: string, id: string) {
  return db.guestBookEntry.findFirst({ where: { id, memoryTagId } });
}

/** Find an entry of any guest book. */
export async function findGuestBookEntryById(db: Db, id: string): Promise<GuestBookEntryRow | null> {
  return db.guestBookEntry.findUnique({ where: { id } });
}

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
    where: { memoryTagId, ...(state && { state }), ...afterCursor },
    orderBy: NEWEST_FIRST,
    take,
  });
}

export async function hasMaxPendingGuestBookEntries(
  db: Db,
  memoryTagId: string,
  maxPending: number,
): Promise<boolean> {
  const where = { memoryTagId, state: 'PENDING' };
  return (
    (await db.guestBookEntry.findMany({ where, select: { id: true }, take: maxPending })).length >= maxPending
  );
}

export async function updateGuestBookEntryState(
  tx: Tx,
  id: string,
  state: GuestBookEntryState,
): Promise<GuestBookEntryRow> {
  const decidedAt = state === 'PENDING' ? null : new Date();
  return tx.guestBookEntry.update({ where: { id }, data: { state, decidedAt } });
}

/** Delete an entry of a guest book; false if there is none. */
export async function deleteGuestBookEntry(tx: Tx, memoryTagId: string, id: string): Promise<boolean> {
  const { count } = await tx.guestBookEntry.deleteMany({ where: { id, memoryTagId } });
  return count === 1;
}
