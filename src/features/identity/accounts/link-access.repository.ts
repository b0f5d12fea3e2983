import type { Db } from '../../../platform/database.ts';
import { ACCOUNT_REQUIRES_SECOND_FACTOR } from '../../../platform/session-expiry.repository.ts';
import { querySql } from '../../../platform/sql.ts';
import type { AccountRole } from '../../../shared/account-roles.ts';

/** Null for an unknown user. */
export async function findAccessEpoch(db: Db, userId: string): Promise<number | null> {
  const row = await db.user.findUnique({ where: { id: userId }, select: { accessEpoch: true } });
  return row?.accessEpoch ?? null;
}

/** Whom a mailed link about an account may let in. */
export interface LinkMember {
  accountId: string;
  userId: string;
  role: AccountRole;
  accessEpoch: number;
}

/**
 * List the members of an account whom a mailed link may let in without a login: not where the link would skip a second
 * factor, a rule of enterprise mode, the longest session of an organization or a limit to folders, or where the account or
 * the user is suspended.
 */
export async function listLinkMembers(
  db: Db,
  { accountId, userId = null }: { accountId: string; userId?: string | null },
  isEnterpriseEnforced: boolean,
): Promise<LinkMember[]> {
  return querySql<LinkMember>(db)`
    SELECT account.id AS "accountId", person.id AS "userId", membership.role, person.access_epoch AS "accessEpoch"
    FROM memberships AS membership
    JOIN accounts AS account ON account.id = membership.account_id AND account.status = 'ACTIVE'
    JOIN users AS person ON person.id = membership.user_id AND person.status IN ('VERIFIED', 'ACTIVE')
    WHERE membership.account_id = ${accountId} AND (${userId}::text IS NULL OR membership.user_id = ${userId})
      AND NOT membership.limited_to_folders
      AND NOT (person.enterprise_mode OR ${ACCOUNT_REQUIRES_SECOND_FACTOR} OR account.max_session_hours IS NOT NULL
           OR ${isEnterpriseEnforced})
      AND NOT EXISTS (SELECT FROM second_factors WHERE user_id = person.id AND confirmed_at IS NOT NULL)
    ORDER BY person.id`;
}

/** Find the member that a user is; null where a link may not let them in. */
export async function findLinkMember(
  db: Db,
  key: { accountId: string; userId: string },
  isEnterpriseEnforced: boolean,
): Promise<LinkMember | null> {
  return (await listLinkMembers(db, key, isEnterpriseEnforced))[0] ?? null;
}

/**
 * Get what a link that does not name its user is bound to: whatever ends the sessions of that user voids it. Members of an
 * organization can have the same epoch.
 */
export function getLinkEpoch({ accountId, userId, accessEpoch }: Omit<LinkMember, 'role'>): number | string {
  return accountId === userId ? accessEpoch : `${userId}:${accessEpoch}`;
}
