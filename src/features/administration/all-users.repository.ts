import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database.ts';
import { createValuesCondition } from '../../platform/list-filter.repository.ts';
import { querySql, sql } from '../../platform/sql.ts';
import { type ListRange, toTimePosition } from '../../shared/list-cursor.ts';
import { toLikePattern } from './like-pattern.rules.ts';

export interface UserAdministrationRow {
  id: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  accountType: string | null;
  organizationName: string | null;
  language: string;
  role: string;
  status: string;
  enterpriseMode: boolean;
  qrCodes: number;
  lastLoginAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface UserAdministrationFilter {
  search?: string | undefined;
  roles?: readonly string[] | undefined;
  statuses?: readonly string[] | undefined;
}

/** List users, newest first. Selects no secrets. */
export async function listUsers(
  db: Db,
  filter: UserAdministrationFilter,
  { skip, take, after }: ListRange,
): Promise<{ rows: UserAdministrationRow[]; total: number }> {
  const where = Prisma.join(buildUserConditions(filter), ' AND ');
  const position = toTimePosition(after);
  const whereAfter = position ? sql`${where} AND (created_at, id) < (${position.at}, ${position.id})` : where;
  const rows = await selectUsers(
    db,
    sql`${whereAfter} ORDER BY created_at DESC, id DESC LIMIT ${take} OFFSET ${skip}`,
  );
  const counted = await querySql<{ total: number }>(db)`
    SELECT count(*)::int AS total FROM users WHERE ${where}`;
  return { rows, total: counted[0]?.total ?? 0 };
}

/** Find a user who is not deleted. */
export async function findUserForAdministration(db: Db, id: string): Promise<UserAdministrationRow | null> {
  const [row] = await selectUsers(db, sql`id = ${id} AND status <> 'DELETED'`);
  return row ?? null;
}

export async function findUserTimeZone(db: Db, id: string): Promise<string> {
  return (await db.user.findUnique({ where: { id }, select: { timeZone: true } }))?.timeZone ?? 'UTC';
}

function selectUsers(db: Db, condition: Prisma.Sql): Promise<UserAdministrationRow[]> {
  return querySql<UserAdministrationRow>(db)`
    SELECT id, email, first_name AS "firstName", last_name AS "lastName", account_type AS "accountType",
           organization_name AS "organizationName", language, role, status,
           enterprise_mode AS "enterpriseMode",
           (SELECT count(*)::int FROM qr_codes
            WHERE account_id = selected.id AND qr_codes.status <> 'DELETED') AS "qrCodes",
           (SELECT max(session.created_at) FROM sessions AS session
            WHERE session.user_id = selected.id) AS "lastLoginAt",
           created_at AS "createdAt", updated_at AS "updatedAt"
    FROM (SELECT * FROM users WHERE ${condition}) AS selected
    ORDER BY created_at DESC, id DESC`;
}

function buildUserConditions({ search, roles, statuses }: UserAdministrationFilter): Prisma.Sql[] {
  const found = [sql`true`];
  if (search) found.push(sql`search_text LIKE lower(${toLikePattern(search)})`);
  if (roles?.length) found.push(createValuesCondition(sql`role`, roles));
  if (statuses?.length) found.push(createValuesCondition(sql`status`, statuses));
  return found;
}
