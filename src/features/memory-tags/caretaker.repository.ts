import type { Db, Tx } from '../../platform/database.ts';
import { createAfterFilter } from '../../platform/list-order.repository.ts';
import { executeSql } from '../../platform/sql.ts';
import type { ListRange } from '../../shared/list-cursor.ts';

export type CaretakerRow = Awaited<ReturnType<typeof listCaretakers>>[number];

type MemoryTagKey = { id: string; accountId: string };

export interface StoredCaretakerEmail {
  id: string;
  email: Buffer<ArrayBuffer>;
  emailHash: Buffer<ArrayBuffer>;
}

/** Nobody takes care of what a suspended owner has made, until the suspension ends. */
const OF_ACTIVE_OWNER = { NOT: { memoryTag: { account: { status: 'SUSPENDED' } } } };

export async function isCaretaker(db: Db, memoryTagId: string, userId: string): Promise<boolean> {
  return (await db.memoryTagCaretaker.count({ where: { memoryTagId, userId, ...OF_ACTIVE_OWNER } })) > 0;
}

export async function listCaretakers(db: Db, { id: memoryTagId, accountId }: MemoryTagKey) {
  return db.memoryTagCaretaker.findMany({
    where: { accountId, memoryTagId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

export async function findCaretakerByEmailHash(
  tx: Tx,
  { id: memoryTagId, accountId }: MemoryTagKey,
  emailHash: Uint8Array<ArrayBuffer>,
): Promise<CaretakerRow | null> {
  return tx.memoryTagCaretaker.findFirst({ where: { accountId, memoryTagId, emailHash } });
}

/** Insert a caretaker by address; `linkCaretakersToUser` links the user. */
export async function insertCaretaker(
  tx: Tx,
  { id: memoryTagId, accountId }: MemoryTagKey,
  storedEmail: StoredCaretakerEmail,
): Promise<CaretakerRow> {
  return tx.memoryTagCaretaker.create({ data: { ...storedEmail, memoryTagId, accountId } });
}

/** Link caretaker rows to the user with a verified address. */
export async function linkCaretakersToUser(
  db: Db,
  email: string,
  emailHash: Uint8Array<ArrayBuffer>,
): Promise<void> {
  // The lock of a foreign key: an account that is being deleted gets nothing.
  await executeSql(db)`
    WITH caretaker AS MATERIALIZED (
      SELECT id FROM users WHERE email = ${email} AND status IN ('VERIFIED', 'ACTIVE') FOR KEY SHARE
    )
    UPDATE memory_tag_caretakers AS link SET user_id = caretaker.id FROM caretaker
    WHERE link.email_hash = ${emailHash} AND link.user_id IS NULL AND link.account_id <> caretaker.id`;
}

/** Delete unlinked rows of an address that is being erased. */
export async function deleteUnlinkedCaretakers(tx: Tx, emailHash: Uint8Array<ArrayBuffer>): Promise<void> {
  await tx.memoryTagCaretaker.deleteMany({ where: { emailHash, userId: null } });
}

/** Delete a caretaker by id; false if there is none. */
export async function deleteCaretaker(
  tx: Tx,
  { id: memoryTagId, accountId }: MemoryTagKey,
  id: string,
): Promise<boolean> {
  const where = { id, memoryTagId, accountId };
  return (await tx.memoryTagCaretaker.deleteMany({ where })).count > 0;
}

/** Delete a caretaker by user; false if there is none. */
export async function deleteCaretakerByUser(tx: Tx, memoryTagId: string, userId: string): Promise<boolean> {
  return (await tx.memoryTagCaretaker.deleteMany({ where: { memoryTagId, userId } })).count > 0;
}

/** Store when a caretaker first opened the memory tag. */
export async function markMemoryTagOpenedByCaretaker(
  db: Db,
  memoryTagId: string,
  userId: string,
): Promise<void> {
  await db.memoryTagCaretaker.updateMany({
    where: { memoryTagId, userId, openedAt: null },
    data: { openedAt: new Date() },
  });
}

export async function listCaredForMemoryTags(db: Db, userId: string, { skip, take, after }: ListRange) {
  const [rows, total] = await Promise.all([
    db.memoryTagCaretaker.findMany({
      where: { userId, ...OF_ACTIVE_OWNER, ...createAfterFilter('createdAt', after) },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      include: {
        memoryTag: {
          include: {
            account: { select: { name: true, user: { select: { firstName: true, lastName: true } } } },
          },
        },
      },
      skip,
      take,
    }),
    db.memoryTagCaretaker.count({ where: { userId, ...OF_ACTIVE_OWNER } }),
  ]);
  return { rows, total };
}
