import type { Db, Tx } from '../../../platform/database.ts';
import { generateId } from '../../../shared/ids.ts';

export interface UserIdentityRow {
  id: string;
  userId: string;
  status: string;
}

export async function findIdentity(db: Db, issuer: string, subject: string): Promise<UserIdentityRow | null> {
  const row = await db.userIdentity.findUnique({
    where: { issuer_subject: { issuer, subject } },
    select: { id: true, userId: true, user: { select: { status: true } } },
  });
  return row && { id: row.id, userId: row.userId, status: row.user.status };
}

export async function hasIdentityFromIssuer(db: Db, userId: string, issuer: string): Promise<boolean> {
  return (await db.userIdentity.count({ where: { userId, issuer } })) > 0;
}

export async function insertIdentity(
  tx: Tx,
  identity: { userId: string; issuer: string; subject: string; email: string },
): Promise<string> {
  const id = generateId();
  await tx.userIdentity.create({ data: { id, ...identity }, select: { id: true } });
  return id;
}

export async function markIdentityUsed(tx: Tx, id: string): Promise<void> {
  await tx.userIdentity.update({ where: { id }, data: { lastUsedAt: new Date() }, select: { id: true } });
}

export async function listUserIdentities(db: Db, userId: string, page: { skip: number; take: number }) {
  const [rows, total] = await Promise.all([
    db.userIdentity.findMany({
      where: { userId },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      ...page,
    }),
    db.userIdentity.count({ where: { userId } }),
  ]);
  return { rows, total };
}

export async function findOwnIdentity(tx: Tx, userId: string, id: string) {
  return tx.userIdentity.findFirst({ where: { id, userId } });
}

/** A password or another identity of this issuer. */
export async function hasOtherSignInMethod(
  tx: Tx,
  identity: { id: string; userId: string },
  issuer: string | null,
): Promise<boolean> {
  const { id, userId } = identity;
  const passwordCount = await tx.user.count({ where: { id: userId, passwordHash: { not: null } } });
  if (passwordCount > 0 || issuer === null) return passwordCount > 0;
  return (await tx.userIdentity.count({ where: { userId, issuer, id: { not: id } } })) > 0;
}

export async function deleteIdentity(tx: Tx, id: string): Promise<void> {
  await tx.userIdentity.delete({ where: { id }, select: { id: true } });
}
