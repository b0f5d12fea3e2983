import type { Db, Tx } from '../../platform/database.ts';
import { generateId } from '../../shared/ids.ts';

/** An account that is being erased, and how far. */
export interface ErasureRow {
  id: string;
  userId: string;
  auditReference: string | null;
  scanCursorAt: Date | null;
  scanCursorId: string | null;
}

/** What of an account decides whether it may be erased. */
export interface LockedAccount {
  id: string;
  email: string;
  role: string;
  passwordHash: string | null;
  profilePicture: string | null;
}

/** A file that an erasure removes. */
export interface ErasedFileRow {
  folder: string;
  name: string;
}

const ERASURE_COLUMNS = {
  id: true,
  userId: true,
  auditReference: true,
  scanCursorAt: true,
  scanCursorId: true,
} as const;

/** An account, locked so that nothing new becomes its own until this transaction ends; null when absent or erased. */
export async function lockAccount(tx: Tx, userId: string): Promise<LockedAccount | null> {
  const rows = await tx.$queryRaw<LockedAccount[]>`
    SELECT id, email, role, password_hash AS "passwordHash", profile_picture AS "profilePicture"
    FROM users WHERE id = ${userId} AND status <> 'DELETED' FOR UPDATE`;
  return rows[0] ?? null;
}

/** Begins an erasure: from this transaction's end on the account's reference in the trail leads nowhere. */
export async function startErasure(tx: Tx, userId: string): Promise<ErasureRow> {
  const auditActor = await tx.auditActor.findUnique({ where: { userId } });
  await tx.auditActor.deleteMany({ where: { userId } });
  return tx.erasure.create({
    data: { id: generateId(), userId, auditReference: auditActor?.reference ?? null },
    select: ERASURE_COLUMNS,
  });
}

/** Leaves of an account its id, and an address that nobody can register and that says nothing. */
export async function anonymizeAccount(tx: Tx, userId: string): Promise<void> {
  await tx.user.update({
    where: { id: userId },
    data: {
      email: `erased:${userId}`,
      status: 'DELETED',
      role: 'USER',
      passwordHash: null,
      firstName: null,
      lastName: null,
      accountType: null,
      organizationName: null,
      phone: null,
      language: 'en',
      timeZone: 'UTC',
      profilePicture: null,
      previousStatus: null,
      enterpriseMode: false,
      version: { increment: 1 },
      updatedAt: new Date(),
    },
    select: { id: true },
  });
}

/** An erasure that is not finished, locked so that one worker at a time goes on with it; null otherwise. */
export async function lockErasure(tx: Tx, id: string): Promise<ErasureRow | null> {
  await tx.$queryRaw`SELECT FROM erasures WHERE id = ${id} FOR UPDATE`;
  return tx.erasure.findFirst({ where: { id, finishedAt: null }, select: ERASURE_COLUMNS });
}

/** Whose erasure this is; null where it is finished, or there is none. */
export async function findUserIdOfUnfinishedErasure(db: Db, id: string): Promise<string | null> {
  const row = await db.erasure.findFirst({ where: { id, finishedAt: null }, select: { userId: true } });
  return row?.userId ?? null;
}

/** Ends an erasure: what it needed to know is forgotten, too. */
export async function finishErasure(tx: Tx, id: string): Promise<void> {
  await tx.erasure.update({
    where: { id },
    data: { auditReference: null, scanCursorAt: null, scanCursorId: null, finishedAt: new Date() },
    select: { id: true },
  });
}

/** Erasures that are not finished, by id, some at a time. */
export async function listUnfinishedErasures(db: Db, afterId: string, take: number): Promise<string[]> {
  const where = { finishedAt: null, id: { gt: afterId } };
  const rows = await db.erasure.findMany({ where, select: { id: true }, orderBy: { id: 'asc' }, take });
  return rows.map(({ id }) => id);
}

/** Notes a file to be removed. */
export async function insertErasedFile(tx: Tx, erasureId: string, file: ErasedFileRow): Promise<void> {
  await tx.erasedFile.createMany({ data: [{ erasureId, ...file }], skipDuplicates: true });
}

/** Files that are still to be removed, some at a time. */
export async function listErasedFiles(db: Db, erasureId: string, take: number): Promise<ErasedFileRow[]> {
  return db.erasedFile.findMany({ where: { erasureId }, select: { folder: true, name: true }, take });
}

/** Forgets files that were removed. */
export async function deleteErasedFiles(
  db: Db,
  erasureId: string,
  files: readonly ErasedFileRow[],
): Promise<void> {
  await db.$executeRaw`
    DELETE FROM erased_files AS file
    USING unnest(${files.map(({ folder }) => folder)}::text[], ${files.map(({ name }) => name)}::text[]) AS gone (folder, name)
    WHERE file.erasure_id = ${erasureId} AND file.folder = gone.folder AND file.name = gone.name`;
}
