import type { Db, Tx } from '../../../platform/database.ts';
import { FOLDER_IDS_SQL, type MembershipKey } from '../../../platform/membership.repository.ts';
import { executeSql, querySql, sql } from '../../../platform/sql.ts';
import { ROLES_OF_MANAGEMENT } from '../../../shared/account-permissions.ts';
import type { AccountRole } from '../../../shared/account-roles.ts';
import { type ListRange, toTimePosition } from '../../../shared/list-cursor.ts';

export interface MemberRow {
  /** Of the user. */
  id: string;
  /** Null for a user without a profile. */
  name: string | null;
  email: string;
  language: string;
  role: AccountRole;
  version: number;
  createdAt: Date;
  /** Whether the user has a profile and is not suspended. */
  isActive: boolean;
  /** Whether the organization has another owner who is not suspended. */
  hasOtherOwner: boolean;
  /** Null for one who has all codes. */
  folderIds: string[] | null;
}

const MANAGING_ROLES = ROLES_OF_MANAGEMENT.write;

const MEMBERS_SQL = sql`
  SELECT member.id, nullif(concat_ws(' ', member.first_name, member.last_name), '') AS name, member.email,
         member.language, membership.role, membership.version, membership.created_at AS "createdAt",
         member.status = 'ACTIVE' AS "isActive",
         EXISTS (SELECT FROM memberships AS other
                 JOIN users AS owner ON owner.id = other.user_id AND owner.status <> 'SUSPENDED'
                 WHERE other.account_id = membership.account_id AND other.user_id <> membership.user_id
                   AND other.role = 'OWNER') AS "hasOtherOwner",
         ${FOLDER_IDS_SQL} AS "folderIds"
  FROM memberships AS membership
  JOIN users AS member ON member.id = membership.user_id
  JOIN accounts AS account ON account.id = membership.account_id AND account.type = 'ORGANIZATION'`;

/** List the members of an organization, those of the longest first. */
export async function listMembers(
  db: Db,
  accountId: string,
  { skip, take, after }: ListRange,
): Promise<{ rows: MemberRow[]; total: number }> {
  const position = toTimePosition(after);
  const isAfter = position
    ? sql`(membership.created_at, membership.user_id) > (${position.at}, ${position.id})`
    : sql`true`;
  const rows = await querySql<MemberRow>(db)`
    ${MEMBERS_SQL} WHERE membership.account_id = ${accountId} AND ${isAfter}
    ORDER BY membership.created_at, membership.user_id LIMIT ${take} OFFSET ${skip}`;
  return { rows, total: await db.membership.count({ where: { accountId } }) };
}

export async function findMember(db: Db, { accountId, userId }: MembershipKey): Promise<MemberRow | null> {
  const rows = await querySql<MemberRow>(db)`
    ${MEMBERS_SQL} WHERE membership.account_id = ${accountId} AND membership.user_id = ${userId}`;
  return rows[0] ?? null;
}

/** Change the role of a member of an organization that this transaction has locked; false for no member any more. */
export async function updateMemberRole(
  tx: Tx,
  { accountId, userId }: MembershipKey,
  role: AccountRole,
): Promise<boolean> {
  const count = await executeSql(tx)`
    WITH before AS (
      SELECT role FROM memberships WHERE account_id = ${accountId} AND user_id = ${userId}
    ), changed AS (
      UPDATE memberships SET role = ${role}, version = version + 1, updated_at = now(),
        limited_to_folders = limited_to_folders AND ${!MANAGING_ROLES.includes(role)}::boolean
      WHERE account_id = ${accountId} AND user_id = ${userId}
      RETURNING role
    )
    UPDATE accounts SET updated_at = now(), version = version + 1,
      owner_count = owner_count + (SELECT count(*) FROM changed WHERE role = 'OWNER')::int
                                - (SELECT count(*) FROM before WHERE role = 'OWNER')::int
    WHERE id = ${accountId} AND EXISTS (SELECT FROM changed)`;
  return count > 0;
}

/**
 * Limit a member to folders of the organization, or end the limit with null; null if a folder does not exist. The
 * membership is locked by this transaction.
 */
export async function updateMemberFolders(
  tx: Tx,
  { accountId, userId }: MembershipKey,
  folderIds: readonly string[] | null,
): Promise<true | null> {
  await tx.membership.update({
    where: { accountId_userId: { accountId, userId } },
    data: { limitedToFolders: folderIds !== null, version: { increment: 1 }, updatedAt: new Date() },
  });
  await tx.membershipFolder.deleteMany({ where: { accountId, userId } });
  const count = await executeSql(tx)`
    INSERT INTO membership_folders (account_id, user_id, folder_id)
    SELECT account_id, ${userId}, id FROM folders
    WHERE account_id = ${accountId} AND id = ANY(${[...(folderIds ?? [])]}::text[]) AND deleted_at IS NULL`;
  return count === new Set(folderIds).size ? true : null;
}

/** Delete a membership of an organization that this transaction has locked; false if there is none any more. */
export async function deleteMembership(tx: Tx, { accountId, userId }: MembershipKey): Promise<boolean> {
  const count = await executeSql(tx)`
    WITH removed AS (
      DELETE FROM memberships WHERE account_id = ${accountId} AND user_id = ${userId} RETURNING role
    )
    UPDATE accounts SET owner_count = owner_count - (SELECT count(*) FROM removed WHERE role = 'OWNER')::int
    WHERE id = ${accountId} AND EXISTS (SELECT FROM removed)`;
  return count > 0;
}

/**
 * Lock the memberships of a user in organizations, and those that they own; false if another transaction has locked some.
 * It does not wait, as others lock an organization before its members.
 */
export async function lockMembershipsOfUser(tx: Tx, userId: string): Promise<boolean> {
  const memberships = await querySql<{ accountId: string; role: AccountRole }>(tx)`
    SELECT account_id AS "accountId", role FROM memberships
    WHERE user_id = ${userId} AND account_id <> user_id ORDER BY account_id FOR NO KEY UPDATE SKIP LOCKED`;
  const count = await tx.membership.count({ where: { userId, accountId: { not: userId } } });
  if (memberships.length < count) return false;
  const owned = memberships.filter(({ role }) => role === 'OWNER').map(({ accountId }) => accountId);
  const accounts = await querySql(tx)`
    SELECT FROM accounts WHERE id = ANY(${owned}) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`;
  return accounts.length === owned.length;
}

/** Delete the memberships of a user who is erased; they and the organizations that the user owns are locked. */
export async function deleteMembershipsOfUser(tx: Tx, userId: string): Promise<void> {
  await executeSql(tx)`
    WITH removed AS (DELETE FROM memberships WHERE user_id = ${userId} RETURNING account_id, role)
    UPDATE accounts SET owner_count = owner_count - 1 FROM removed
    WHERE accounts.id = removed.account_id AND accounts.type = 'ORGANIZATION' AND removed.role = 'OWNER'`;
}
