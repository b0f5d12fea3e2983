import type { Db } from '../../../../platform/database.ts';
import { IS_SESSION_TOO_OLD_FOR_ACCOUNT } from '../../../../platform/session-expiry.repository.ts';
import { querySql, sql } from '../../../../platform/sql.ts';
import type { AccountRole } from '../../../../shared/account-roles.ts';

export interface OrganizationPolicies {
  secondFactorRequired: boolean;
  maxSessionHours: number | null;
  enterpriseMode: boolean;
}

export interface UnenrolledMember {
  userId: string;
  name: string | null;
  email: string;
  language: string;
  role: AccountRole;
}

export async function findPolicies(db: Db, accountId: string): Promise<OrganizationPolicies | null> {
  return db.account.findUnique({
    where: { id: accountId },
    select: { secondFactorRequired: true, maxSessionHours: true, enterpriseMode: true },
  });
}

const buildUnenrolledSql = (accountId: string) => sql`
  FROM memberships AS membership JOIN users AS member ON member.id = membership.user_id
  WHERE membership.account_id = ${accountId} AND NOT EXISTS (
    SELECT FROM second_factors AS factor WHERE factor.user_id = member.id AND factor.confirmed_at IS NOT NULL)`;

/** List the members without a second factor, those of the longest first; null for all of them. */
export async function listUnenrolledMembers(
  db: Db,
  accountId: string,
  take: number | null,
): Promise<UnenrolledMember[]> {
  return querySql<UnenrolledMember>(db)`
    SELECT member.id AS "userId", nullif(concat_ws(' ', member.first_name, member.last_name), '') AS name, member.email,
           member.language, membership.role
    ${buildUnenrolledSql(accountId)}
    ORDER BY membership.created_at, membership.user_id LIMIT ${take}`;
}

export async function countUnenrolledMembers(db: Db, accountId: string): Promise<number> {
  const [row] = await querySql<{ count: number }>(db)`
    SELECT count(*)::int AS count ${buildUnenrolledSql(accountId)}`;
  return row?.count ?? 0;
}

/** Whether the login of a session is longer ago than the organization allows to its member. */
export async function isSessionTooOld(
  db: Db,
  { sessionId, accountId }: { sessionId: string; accountId: string },
): Promise<boolean> {
  const rows = await querySql(db)`
    SELECT FROM sessions AS session
    JOIN memberships AS membership ON membership.user_id = session.user_id
    JOIN accounts AS account ON account.id = membership.account_id
    WHERE session.id = ${sessionId} AND membership.account_id = ${accountId} AND ${IS_SESSION_TOO_OLD_FOR_ACCOUNT}`;
  return rows.length > 0;
}
