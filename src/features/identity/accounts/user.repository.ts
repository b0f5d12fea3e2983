import type { Db, Tx } from '../../../platform/database.ts';
import { executeSql, querySql } from '../../../platform/sql.ts';
import { generateId } from '../../../shared/ids.ts';

export type UserRow = NonNullable<Awaited<ReturnType<typeof findUser>>>;

export interface UserProfileUpdate {
  firstName?: string | undefined;
  lastName?: string | undefined;
  accountType?: string | undefined;
  organizationName?: string | null | undefined;
  phone?: Uint8Array<ArrayBuffer> | null | undefined;
  language?: string | undefined;
  timeZone?: string | undefined;
  profilePicture?: string | undefined;
}

export async function findUser(db: Db, id: string) {
  const row = await db.user.findUnique({ where: { id } });
  return row && row.status !== 'DELETED' ? row : null;
}

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | null> {
  const row = await db.user.findUnique({ where: { email } });
  return row && row.status !== 'DELETED' ? row : null;
}

export async function ensureUserByEmail(tx: Tx, email: string): Promise<{ id: string; status: string }> {
  for (;;) {
    await executeSql(tx)`
      INSERT INTO users (id, email) VALUES (${generateId()}, ${email}) ON CONFLICT (email) DO NOTHING`;
    const row = await tx.user.findUnique({ where: { email }, select: { id: true, status: true } });
    // The account may have been erased between the two statements.
    if (row) return row;
  }
}

export async function lockUserByEmail(tx: Tx, email: string): Promise<{ id: string; status: string } | null> {
  const rows = await querySql<{ id: string; status: string }>(tx)`
    SELECT id, status FROM users WHERE email = ${email} FOR UPDATE`;
  return rows[0] ?? null;
}

/**
 * Null when unknown or deleted. Creating and ending sessions lock the user. Lock order against deadlocks:
 * second factor, user, then sessions, links and codes.
 */
export async function lockUser(tx: Tx, id: string): Promise<UserRow | null> {
  await querySql(tx)`SELECT 1 FROM users WHERE id = ${id} FOR NO KEY UPDATE`;
  // A separate statement: a snapshot taken before the lock wait would be stale.
  return findUser(tx, id);
}

export async function incrementAccessEpoch(tx: Tx, id: string): Promise<number> {
  const { accessEpoch } = await tx.user.update({
    where: { id },
    data: { accessEpoch: { increment: 1 } },
    select: { accessEpoch: true },
  });
  return accessEpoch;
}

export async function markEmailVerified(
  tx: Tx,
  id: string,
  status: 'VERIFIED' | 'ACTIVE',
  change: UserProfileUpdate & { passwordHash: string | null },
): Promise<UserRow> {
  return tx.user.update({
    where: { id },
    data: { ...omitUndefined({ ...change }), status, updatedAt: new Date() },
  });
}

/** Null for a user with a profile; one from the registration can be completed once. */
export async function activateUserWithProfile(
  tx: Tx,
  id: string,
  change: UserProfileUpdate,
): Promise<UserRow | null> {
  const { count } = await tx.user.updateMany({
    where: { id, OR: [{ status: 'VERIFIED' }, { status: 'ACTIVE', version: 1 }] },
    data: {
      ...omitUndefined({ ...change }),
      status: 'ACTIVE',
      version: { increment: 1 },
      updatedAt: new Date(),
    },
  });
  return count === 1 ? tx.user.findUniqueOrThrow({ where: { id } }) : null;
}

export async function updateUserProfile(
  tx: Tx,
  id: string,
  version: number,
  change: UserProfileUpdate,
): Promise<UserRow | null> {
  const { count } = await tx.user.updateMany({
    where: { id, version },
    data: { ...omitUndefined({ ...change }), version: { increment: 1 }, updatedAt: new Date() },
  });
  return count === 1 ? tx.user.findUniqueOrThrow({ where: { id } }) : null;
}

export async function updatePasswordHash(tx: Tx, id: string, passwordHash: string): Promise<void> {
  await tx.user.updateMany({
    where: { id, status: { not: 'DELETED' } },
    data: { passwordHash, updatedAt: new Date() },
  });
}

export async function hasAdministrator(db: Db): Promise<boolean> {
  return (await db.user.count({ where: { role: 'ADMIN', status: { in: ['VERIFIED', 'ACTIVE'] } } })) > 0;
}

/** The password of an existing user stays. */
export async function upsertAdministrator(
  tx: Tx,
  email: string,
  passwordHash: string | null,
): Promise<{ id: string; created: boolean } | null> {
  const existingUser = await tx.user.findUnique({ where: { email } });
  if (existingUser && existingUser.status !== 'PENDING_VERIFICATION') {
    await tx.user.update({ where: { email }, data: { role: 'ADMIN', updatedAt: new Date() } });
    return { id: existingUser.id, created: false };
  }
  if (!passwordHash) return null;
  const { id } = await ensureUserByEmail(tx, email);
  await tx.pendingRegistration.deleteMany({ where: { userId: id } });
  await tx.user.update({
    where: { id },
    data: {
      passwordHash,
      role: 'ADMIN',
      status: 'ACTIVE',
      firstName: 'Service',
      lastName: 'Administrator',
      accountType: 'INDIVIDUAL',
      updatedAt: new Date(),
    },
  });
  return { id, created: true };
}

function omitUndefined<T extends Record<string, unknown>>(values: T): T {
  // undefined keys must not reach Prisma.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}

export async function isProfilePictureWithheld(db: Db, profilePicture: string): Promise<boolean> {
  // The state stands in the statement, so that its partial index serves each request of a picture.
  const rows = await querySql<unknown>(db)`
    SELECT 1 FROM users WHERE profile_picture = ${profilePicture} AND status = 'SUSPENDED' LIMIT 1`;
  return rows.length > 0;
}
