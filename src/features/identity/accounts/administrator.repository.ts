import type { Db, Tx } from '../../../platform/database.ts';
import { executeSql, querySql } from '../../../platform/sql.ts';

export interface Administrator {
  id: string;
  email: string;
  status: string;
  createdAt: Date;
}

const LOGIN_ALLOWED_STATUSES = ['VERIFIED', 'ACTIVE'];

/** Serialize changes to the set of administrators until the transaction ends. */
export async function lockAdministrators(tx: Tx): Promise<void> {
  await executeSql(tx)`SELECT pg_advisory_xact_lock(hashtext('qr-profile-service administrators'))`;
}

export async function listAdministrators(db: Db): Promise<Administrator[]> {
  return db.user.findMany({
    where: { role: 'ADMIN' },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true, email: true, status: true, createdAt: true },
  });
}

export async function findUserForAdministrationByEmail(
  db: Db,
  email: string,
): Promise<{ id: string; role: string; status: string; canLogIn: boolean } | null> {
  const row = await db.user.findUnique({ where: { email }, select: { id: true, role: true, status: true } });
  return row && row.status !== 'DELETED'
    ? { ...row, canLogIn: LOGIN_ALLOWED_STATUSES.includes(row.status) }
    : null;
}

export async function hasOtherAdministrator(db: Db, userId: string): Promise<boolean> {
  const others = { role: 'ADMIN', status: { in: LOGIN_ALLOWED_STATUSES }, id: { not: userId } };
  return (await db.user.count({ where: others })) > 0;
}

export interface AdministeredUser {
  id: string;
  email: string;
  role: string;
  status: string;
  previousStatus: string | null;
  enterpriseMode: boolean;
  canLogIn: boolean;
}

export async function lockUserForAdministration(tx: Tx, id: string): Promise<AdministeredUser | null> {
  const rows = await querySql<Omit<AdministeredUser, 'canLogIn'>>(tx)`
    SELECT id, email, role, status, previous_status AS "previousStatus", enterprise_mode AS "enterpriseMode" FROM users
    WHERE id = ${id} AND status <> 'DELETED' FOR UPDATE`;
  const [row] = rows;
  return row ? { ...row, canLogIn: LOGIN_ALLOWED_STATUSES.includes(row.status) } : null;
}

export async function updateUserRole(tx: Tx, id: string, role: string): Promise<void> {
  await tx.user.update({
    where: { id },
    data: { role, version: { increment: 1 }, updatedAt: new Date() },
    select: { id: true },
  });
}

export async function updateUserStatus(
  tx: Tx,
  id: string,
  change: { status: string; previousStatus: string | null },
): Promise<void> {
  await tx.user.update({
    where: { id },
    data: { ...change, updatedAt: new Date() },
    select: { id: true },
  });
}
