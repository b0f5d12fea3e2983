import type { Db, Tx } from '../../platform/database.ts';

/** A caretaker as the table holds them. */
export type CaretakerRow = Awaited<ReturnType<typeof listCaretakers>>[number];

/** An address as it is kept. */
export interface StoredCaretakerEmail {
  id: string;
  email: Buffer<ArrayBuffer>;
  emailHash: Buffer<ArrayBuffer>;
}

/** Whether the owner of a memory tag named somebody. */
export async function isCaretaker(db: Db, memoryTagId: string, userId: string): Promise<boolean> {
  return (await db.memoryTagCaretaker.count({ where: { memoryTagId, userId } })) > 0;
}

/** Whom an owner named for a memory tag, in their order. They are few. */
export async function listCaretakers(db: Db, memoryTagId: string) {
  return db.memoryTagCaretaker.findMany({
    where: { memoryTagId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

/** The row of an address that was named for a memory tag; null where it was not. */
export async function findCaretakerByEmailHash(
  tx: Tx,
  memoryTagId: string,
  emailHash: Uint8Array<ArrayBuffer>,
): Promise<CaretakerRow | null> {
  return tx.memoryTagCaretaker.findFirst({ where: { memoryTagId, emailHash } });
}

/** Names an address for a memory tag. Who has it is looked up by `linkCaretakers` alone. */
export async function insertCaretaker(
  tx: Tx,
  { id: memoryTagId, ownerId }: { id: string; ownerId: string },
  storedEmail: StoredCaretakerEmail,
): Promise<CaretakerRow> {
  return tx.memoryTagCaretaker.create({ data: { ...storedEmail, memoryTagId, ownerId } });
}

/** Gives whoever has an address, and has shown that it is theirs, what it was named for; nobody where nobody has it. */
export async function linkCaretakers(
  db: Db,
  email: string,
  emailHash: Uint8Array<ArrayBuffer>,
): Promise<void> {
  // Held as by a foreign key, so that nothing is given to an account that is just being erased.
  await db.$executeRaw`
    WITH person AS MATERIALIZED (
      SELECT id FROM users WHERE email = ${email} AND status IN ('VERIFIED', 'ACTIVE') FOR KEY SHARE
    )
    UPDATE memory_tag_caretakers AS care SET user_id = person.id FROM person
    WHERE care.email_hash = ${emailHash} AND care.user_id IS NULL AND care.owner_id <> person.id`;
}

/** Forgets an address that is being erased, wherever it was named. */
export async function deleteUnlinkedCaretakers(tx: Tx, emailHash: Uint8Array<ArrayBuffer>): Promise<void> {
  await tx.memoryTagCaretaker.deleteMany({ where: { emailHash, userId: null } });
}

/** Takes what an owner gave back. False where there is no such row of theirs. */
export async function deleteCaretaker(tx: Tx, memoryTagId: string, id: string): Promise<boolean> {
  return (await tx.memoryTagCaretaker.deleteMany({ where: { id, memoryTagId } })).count > 0;
}

/** Ends that somebody cares for a memory tag. False where they did not. */
export async function deleteCaretakerOfUser(tx: Tx, memoryTagId: string, userId: string): Promise<boolean> {
  return (await tx.memoryTagCaretaker.deleteMany({ where: { memoryTagId, userId } })).count > 0;
}

/** Notes that a caretaker has seen the memory tag, once. */
export async function markOpenedByCaretaker(db: Db, memoryTagId: string, userId: string): Promise<void> {
  await db.memoryTagCaretaker.updateMany({
    where: { memoryTagId, userId, openedAt: null },
    data: { openedAt: new Date() },
  });
}

/** What somebody cares for, the last that they were named for first, and how many these are. */
export async function listCaredForTags(db: Db, userId: string, page: { skip: number; take: number }) {
  const [rows, total] = await Promise.all([
    db.memoryTagCaretaker.findMany({
      where: { userId },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      include: { memoryTag: { include: { owner: { select: { firstName: true, lastName: true } } } } },
      ...page,
    }),
    db.memoryTagCaretaker.count({ where: { userId } }),
  ]);
  return { rows, total };
}
