import type { Prisma } from '../generated/prisma/client.ts';
import type { AccountRole } from '../shared/account-roles.ts';
import { ACCOUNT_REQUIRES_SECOND_FACTOR, buildSecondFactorCondition } from './session-expiry.repository.ts';
import { querySql, type SqlConnection, sql } from './sql.ts';

export interface MembershipKey {
  accountId: string;
  userId: string;
}

/** SQL of the folders that a membership is limited to; null for one that is not. A deleted folder is none. */
export const FOLDER_IDS_SQL = sql`
  CASE WHEN membership.limited_to_folders THEN ARRAY(
    SELECT folder.id FROM membership_folders AS part
    JOIN folders AS folder ON folder.account_id = part.account_id AND folder.id = part.folder_id AND folder.deleted_at IS NULL
    WHERE part.account_id = membership.account_id AND part.user_id = membership.user_id ORDER BY folder.id) END`;

/** List the users who act for an account in one of some roles, except members who are limited to folders. */
export async function listMemberIds(
  connection: SqlConnection,
  accountId: string,
  roles: readonly AccountRole[],
): Promise<string[]> {
  const rows = await querySql<{ userId: string }>(connection)`
    SELECT user_id AS "userId" FROM memberships
    WHERE account_id = ${accountId} AND role = ANY(${[...roles]}) AND NOT limited_to_folders ORDER BY user_id`;
  return rows.map(({ userId }) => userId);
}

/** Whether a user is a member of an account, whatever they may do there now. */
export async function hasMembership(
  connection: SqlConnection,
  { accountId, userId }: MembershipKey,
): Promise<boolean> {
  const rows = await querySql(connection)`
    SELECT FROM memberships WHERE account_id = ${accountId} AND user_id = ${userId}`;
  return rows.length > 0;
}

export interface UsableMembership extends MembershipKey {
  role: AccountRole;
  isEnterprise: boolean;
}

/**
 * Build SQL of the memberships that a request could use now for all codes: the account is active, and the user has the
 * second factor that it requires and is not limited to folders.
 */
function buildUsableMembershipsQuery(isEnterpriseEnforced: boolean): Prisma.Sql {
  const isEnterprise = sql`(account.enterprise_mode OR ${isEnterpriseEnforced}::boolean)`;
  const isRequired = sql`(person.enterprise_mode OR ${isEnterprise} OR ${ACCOUNT_REQUIRES_SECOND_FACTOR})`;
  return sql`
    SELECT membership.account_id AS "accountId", membership.user_id AS "userId", membership.role,
           ${isEnterprise} AS "isEnterprise"
    FROM memberships AS membership
    JOIN accounts AS account ON account.id = membership.account_id AND account.status = 'ACTIVE'
      AND NOT membership.limited_to_folders
    JOIN users AS person ON person.id = membership.user_id AND person.status IN ('VERIFIED', 'ACTIVE')
      AND NOT (${buildSecondFactorCondition(isRequired, false)})`;
}

/** Check that a user can act for an account in one of some roles. A personal account needs no query. */
export async function isMember(
  connection: SqlConnection,
  { accountId, userId }: MembershipKey,
  roles: readonly AccountRole[],
  isEnterpriseEnforced: boolean,
): Promise<boolean> {
  if (accountId === userId) return true;
  const [membership] = await findMemberships(connection, [{ accountId, userId }], isEnterpriseEnforced);
  return membership !== undefined && roles.includes(membership.role);
}

/** Find which of some memberships there are, and can be used. */
export function findMemberships(
  connection: SqlConnection,
  keys: readonly MembershipKey[],
  isEnterpriseEnforced: boolean,
): Promise<UsableMembership[]> {
  return querySql<UsableMembership>(connection)`
    ${buildUsableMembershipsQuery(isEnterpriseEnforced)}
    JOIN unnest(${keys.map(({ accountId }) => accountId)}::text[], ${keys.map(({ userId }) => userId)}::text[])
      AS wanted (account_id, user_id)
      ON wanted.account_id = membership.account_id AND wanted.user_id = membership.user_id`;
}

/** List the organizations that users can act for. */
export function listOrganizationMemberships(
  connection: SqlConnection,
  userIds: readonly string[],
  isEnterpriseEnforced: boolean,
): Promise<UsableMembership[]> {
  return querySql<UsableMembership>(connection)`
    ${buildUsableMembershipsQuery(isEnterpriseEnforced)}
    WHERE membership.user_id = ANY(${[...userIds]}) AND membership.account_id <> membership.user_id`;
}

/** List the addresses of the owners of an account: of a personal one, that of its user. */
export async function listOwnerEmails(connection: SqlConnection, accountId: string): Promise<string[]> {
  const rows = await querySql<{ email: string }>(connection)`
    SELECT owner.email FROM memberships AS membership
    JOIN users AS owner ON owner.id = membership.user_id AND owner.status <> 'DELETED'
    WHERE membership.account_id = ${accountId} AND membership.role = 'OWNER' ORDER BY owner.id`;
  return rows.map(({ email }) => email);
}
