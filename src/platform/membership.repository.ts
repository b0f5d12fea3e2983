import type { AccountRole } from '../shared/account-roles.ts';
import { querySql, type SqlConnection } from './sql.ts';

export interface MembershipKey {
  accountId: string;
  userId: string;
}

/** List the users who act for an account in one of some roles. */
export async function listMemberIds(
  connection: SqlConnection,
  accountId: string,
  roles: readonly AccountRole[],
): Promise<string[]> {
  const rows = await querySql<{ userId: string }>(connection)`
    SELECT user_id AS "userId" FROM memberships
    WHERE account_id = ${accountId} AND role = ANY(${[...roles]}) ORDER BY user_id`;
  return rows.map(({ userId }) => userId);
}

/** Check that a user acts for an account in one of some roles. A personal account needs no query. */
export async function isMember(
  connection: SqlConnection,
  { accountId, userId }: MembershipKey,
  roles: readonly AccountRole[],
): Promise<boolean> {
  if (accountId === userId) return true;
  return (await findMemberships(connection, [{ accountId, userId }])).some(({ role }) =>
    roles.includes(role),
  );
}

/** Find the role of a user in an account, and whether the account is in enterprise mode. */
export async function findAccountRole(
  connection: SqlConnection,
  { accountId, userId }: MembershipKey,
  isEnterpriseEnforced: boolean,
): Promise<{ role: AccountRole; isEnterprise: boolean } | null> {
  const [row] = await querySql<{ role: AccountRole; isEnterprise: boolean }>(connection)`
    SELECT membership.role, account.enterprise_mode OR ${isEnterpriseEnforced}::boolean AS "isEnterprise"
    FROM memberships AS membership JOIN accounts AS account ON account.id = membership.account_id
    WHERE membership.account_id = ${accountId} AND membership.user_id = ${userId}`;
  return row ?? null;
}

/** Find which of some memberships there are. */
export function findMemberships(
  connection: SqlConnection,
  keys: readonly MembershipKey[],
): Promise<(MembershipKey & { role: AccountRole })[]> {
  return querySql<MembershipKey & { role: AccountRole }>(connection)`
    SELECT account_id AS "accountId", user_id AS "userId", role
    FROM unnest(${keys.map(({ accountId }) => accountId)}::text[], ${keys.map(({ userId }) => userId)}::text[])
           AS wanted (account_id, user_id)
    JOIN memberships USING (account_id, user_id)`;
}

/** List the organizations that users act for in one of some roles. */
export function listOrganizationMemberships(
  connection: SqlConnection,
  userIds: readonly string[],
  roles: readonly AccountRole[],
): Promise<MembershipKey[]> {
  return querySql<MembershipKey>(connection)`
    SELECT account_id AS "accountId", user_id AS "userId" FROM memberships
    WHERE user_id = ANY(${[...userIds]}) AND account_id <> user_id AND role = ANY(${[...roles]})`;
}

/** List the addresses of the owners of an account: of a personal one, that of its user. */
export async function listOwnerEmails(connection: SqlConnection, accountId: string): Promise<string[]> {
  const rows = await querySql<{ email: string }>(connection)`
    SELECT owner.email FROM memberships AS membership
    JOIN users AS owner ON owner.id = membership.user_id AND owner.status <> 'DELETED'
    WHERE membership.account_id = ${accountId} AND membership.role = 'OWNER' ORDER BY owner.id`;
  return rows.map(({ email }) => email);
}
