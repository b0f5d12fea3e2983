import type { Db, Tx } from '../../../platform/database.ts';
import { generateId } from '../../../shared/ids.ts';

/** A person as the table holds them. */
export type UserRow = NonNullable<Awaited<ReturnType<typeof findUser>>>;

/** What of a profile can change; the phone number is encrypted already. */
export interface ProfileUpdate {
  firstName?: string | undefined;
  lastName?: string | undefined;
  accountType?: string | undefined;
  organizationName?: string | null | undefined;
  phone?: Uint8Array<ArrayBuffer> | null | undefined;
  language?: string | undefined;
  timeZone?: string | undefined;
  profilePicture?: string | undefined;
}

/** The person of an id; null when absent or deleted. */
export async function findUser(db: Db, id: string) {
  const row = await db.user.findUnique({ where: { id } });
  return row && row.status !== 'DELETED' ? row : null;
}

/**
 * The person of a normalised address and the passwords to log in with: the account's, or, before the address is
 * confirmed, those of every registration that waits, newest first. Two statements, whoever it is.
 */
export async function findLoginCredentials(
  db: Db,
  email: string,
): Promise<{ user: UserRow | null; passwords: string[] }> {
  const row = await db.user.findUnique({ where: { email } });
  const waiting = await db.pendingRegistration.findMany({
    where: { user: { email, status: 'PENDING_VERIFICATION' } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: { passwordHash: true },
  });
  const user = row && row.status !== 'DELETED' ? row : null;
  const passwords = user?.passwordHash
    ? [user.passwordHash]
    : waiting.map(({ passwordHash }) => passwordHash);
  return { user, passwords };
}

/** Makes sure that there is a row for an address: a new one waits for confirmation. */
export async function ensureUser(tx: Tx, email: string): Promise<{ id: string; status: string }> {
  for (;;) {
    await tx.$executeRaw`
      INSERT INTO users (id, email) VALUES (${generateId()}, ${email}) ON CONFLICT (email) DO NOTHING`;
    const row = await tx.user.findUnique({ where: { email }, select: { id: true, status: true } });
    // Between the two the account of this address may have been erased.
    if (row) return row;
  }
}

/** Locks the row of an address for this transaction, so that two confirmations wait for one another. */
export async function lockUserByEmail(tx: Tx, email: string): Promise<{ id: string; status: string } | null> {
  const rows = await tx.$queryRaw<{ id: string; status: string }[]>`
    SELECT id, status FROM users WHERE email = ${email} FOR UPDATE`;
  return rows[0] ?? null;
}

/**
 * The person of an id, locked for this transaction; null when absent or deleted. Who lets somebody in and who ends
 * sessions both lock the person: whichever comes second sees what the first has done. So that nothing waits for one
 * another in a circle, all lock in one order: the second factor, the person, then sessions, links and codes.
 */
export async function lockUser(tx: Tx, id: string): Promise<UserRow | null> {
  await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${id} FOR NO KEY UPDATE`;
  // A statement of its own, since one that waited for the lock began before what it waited for.
  return findUser(tx, id);
}

/** Begins a new epoch of a person's access, with the person locked; answers it. */
export async function incrementAccessEpoch(tx: Tx, id: string): Promise<number> {
  const { accessEpoch } = await tx.user.update({
    where: { id },
    data: { accessEpoch: { increment: 1 } },
    select: { accessEpoch: true },
  });
  return accessEpoch;
}

/** Activates an address: the password of the registration whose code was entered becomes the account's. */
export async function markEmailVerified(
  tx: Tx,
  id: string,
  change: ProfileUpdate & { passwordHash: string },
): Promise<UserRow> {
  return tx.user.update({
    where: { id },
    data: { ...omitUndefined({ ...change }), status: 'VERIFIED', updatedAt: new Date() },
  });
}

/** Completes a profile for the first time; null when there is one already. */
export async function completeProfile(tx: Tx, id: string, change: ProfileUpdate): Promise<UserRow | null> {
  const { count } = await tx.user.updateMany({
    where: { id, status: 'VERIFIED' },
    data: {
      ...omitUndefined({ ...change }),
      status: 'ACTIVE',
      version: { increment: 1 },
      updatedAt: new Date(),
    },
  });
  return count === 1 ? tx.user.findUniqueOrThrow({ where: { id } }) : null;
}

/** Changes a profile; null when the row is no longer of the version that was read. */
export async function updateProfile(
  tx: Tx,
  id: string,
  version: number,
  change: ProfileUpdate,
): Promise<UserRow | null> {
  const { count } = await tx.user.updateMany({
    where: { id, version },
    data: { ...omitUndefined({ ...change }), version: { increment: 1 }, updatedAt: new Date() },
  });
  return count === 1 ? tx.user.findUniqueOrThrow({ where: { id } }) : null;
}

/** Replaces the password of a person who is locked, the former one having been compared; one who was erased gets none. */
export async function updatePasswordHash(tx: Tx, id: string, passwordHash: string): Promise<void> {
  await tx.user.updateMany({
    where: { id, status: { not: 'DELETED' } },
    data: { passwordHash, updatedAt: new Date() },
  });
}

/** Whether there is an administrator who can log in. */
export async function hasAdministrator(db: Db): Promise<boolean> {
  return (await db.user.count({ where: { role: 'ADMIN', status: { in: ['VERIFIED', 'ACTIVE'] } } })) > 0;
}

/** Makes an administrator: a new account, or the role for one that exists (its password then stays). */
export async function upsertAdministrator(
  tx: Tx,
  email: string,
  passwordHash: string | null,
): Promise<{ id: string; created: boolean } | null> {
  const known = await tx.user.findUnique({ where: { email } });
  if (known && known.status !== 'PENDING_VERIFICATION') {
    await tx.user.update({ where: { email }, data: { role: 'ADMIN', updatedAt: new Date() } });
    return { id: known.id, created: false };
  }
  if (!passwordHash) return null;
  const { id } = await ensureUser(tx, email);
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
  // Only what was given: undefined keys must not reach the client.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
