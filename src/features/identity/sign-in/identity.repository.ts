import type { Db, Tx } from '../../../platform/database.ts';
import { createAfterFilter } from '../../../platform/list-order.repository.ts';
import { executeSql, querySql } from '../../../platform/sql.ts';
import { generateId } from '../../../shared/ids.ts';
import type { ListRange } from '../../../shared/list-cursor.ts';

/** Others wait for the end of the login, second factor included. */
const CONFIRMED = { confirmedAt: { not: null } };

export interface UserIdentityRow {
  id: string;
  userId: string;
  status: string;
}

export async function findIdentity(db: Db, issuer: string, subject: string): Promise<UserIdentityRow | null> {
  const row = await db.userIdentity.findFirst({
    where: { issuer, subject, ...CONFIRMED },
    select: { id: true, userId: true, user: { select: { status: true } } },
  });
  return row && { id: row.id, userId: row.userId, status: row.user.status };
}

export async function hasIdentityFromIssuer(db: Db, userId: string, issuer: string): Promise<boolean> {
  return (await db.userIdentity.count({ where: { userId, issuer, ...CONFIRMED } })) > 0;
}

/**
 * Check whether the address alone links an identity of this issuer: not a second one, since the provider may have
 * assigned the address to somebody else, and none that the user unlinked.
 */
export async function isLinkableByAddress(db: Db, userId: string, issuer: string): Promise<boolean> {
  if (await hasIdentityFromIssuer(db, userId, issuer)) return false;
  return (await db.user.count({ where: { id: userId, unlinkedIssuers: { has: issuer } } })) === 0;
}

/** Replace links that were not confirmed: they must not keep the user's own identity out. */
export async function insertIdentity(
  tx: Tx,
  identity: { userId: string; issuer: string; subject: string; email: string; confirmedAt: Date | null },
): Promise<string> {
  const { userId, issuer, subject } = identity;
  await tx.userIdentity.deleteMany({
    where: { issuer, confirmedAt: null, OR: [{ userId }, { subject }] },
  });
  const id = generateId();
  await tx.userIdentity.create({ data: { id, ...identity }, select: { id: true } });
  return id;
}

/** Null if it was confirmed before. */
export async function confirmIdentity(
  tx: Tx,
  id: string,
  userId: string,
): Promise<{ issuer: string; email: string } | null> {
  const rows = await querySql<{ issuer: string; email: string }>(tx)`
    UPDATE user_identities SET confirmed_at = now() WHERE id = ${id} AND user_id = ${userId} AND confirmed_at IS NULL
    RETURNING issuer, email`;
  return rows[0] ?? null;
}

export async function deleteUnconfirmedIdentities(db: Db, before: Date): Promise<number> {
  const { count } = await db.userIdentity.deleteMany({
    where: { confirmedAt: null, createdAt: { lt: before } },
  });
  return count;
}

export async function markIdentityUsed(tx: Tx, id: string): Promise<void> {
  await tx.userIdentity.update({ where: { id }, data: { lastUsedAt: new Date() }, select: { id: true } });
}

export async function listUserIdentities(db: Db, userId: string, { skip, take, after }: ListRange) {
  const [rows, total] = await Promise.all([
    db.userIdentity.findMany({
      where: { userId, ...CONFIRMED, ...createAfterFilter('createdAt', after) },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip,
      take,
    }),
    db.userIdentity.count({ where: { userId, ...CONFIRMED } }),
  ]);
  return { rows, total };
}

export async function findOwnIdentity(tx: Tx, userId: string, id: string) {
  return tx.userIdentity.findFirst({ where: { id, userId, ...CONFIRMED } });
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
  return (await tx.userIdentity.count({ where: { userId, issuer, id: { not: id }, ...CONFIRMED } })) > 0;
}

/** Its issuer no longer links identities by their address. */
export async function deleteIdentity(
  tx: Tx,
  identity: { id: string; userId: string; issuer: string },
): Promise<void> {
  await tx.userIdentity.delete({ where: { id: identity.id }, select: { id: true } });
  await executeSql(tx)`
    UPDATE users SET unlinked_issuers = unlinked_issuers || ${identity.issuer}::text
    WHERE id = ${identity.userId} AND NOT ${identity.issuer}::text = ANY (unlinked_issuers)`;
}

export async function forgetUnlinkedIssuer(tx: Tx, userId: string, issuer: string): Promise<void> {
  await executeSql(tx)`
    UPDATE users SET unlinked_issuers = array_remove(unlinked_issuers, ${issuer}::text)
    WHERE id = ${userId} AND ${issuer}::text = ANY (unlinked_issuers)`;
}
