import type { Db, Tx } from '../../platform/database.ts';
import type { MembershipKey } from '../../platform/membership.repository.ts';
import { executeSql, querySql, sql } from '../../platform/sql.ts';
import { ANSWERING_ROLES } from '../../shared/account-roles.ts';
import { type ListRange, toTimePosition } from '../../shared/list-cursor.ts';

export interface AssigneeRow {
  /** Of the user. */
  id: string;
  /** Null for a user without a profile. */
  name: string | null;
  createdAt: Date;
}

const ROLES = [...ANSWERING_ROLES];

/** List the members of an organization who may answer, those of the longest first. None for a personal account. */
export async function listAssignees(
  db: Db,
  accountId: string,
  { skip, take, after }: ListRange,
): Promise<{ rows: AssigneeRow[]; total: number }> {
  const position = toTimePosition(after);
  const isAfter = position
    ? sql`(membership.created_at, membership.user_id) > (${position.at}, ${position.id})`
    : sql`true`;
  const rows = await querySql<AssigneeRow>(db)`
    SELECT membership.user_id AS id, nullif(concat_ws(' ', member.first_name, member.last_name), '') AS name,
           membership.created_at AS "createdAt"
    FROM memberships AS membership JOIN users AS member ON member.id = membership.user_id
    WHERE membership.account_id = ${accountId} AND membership.user_id <> membership.account_id
      AND membership.role = ANY(${ROLES}) AND NOT membership.limited_to_folders AND ${isAfter}
    ORDER BY membership.created_at, membership.user_id LIMIT ${take} OFFSET ${skip}`;
  const total = await db.membership.count({
    where: { accountId, userId: { not: accountId }, role: { in: ROLES }, limitedToFolders: false },
  });
  return { rows, total };
}

/**
 * Lock the membership of somebody who is to answer, until the end of the transaction. Before the conversation, as who ends a
 * membership changes its conversations afterwards. False for who may not answer, and for a personal account.
 */
export async function lockAssignee(tx: Tx, { accountId, userId }: MembershipKey): Promise<boolean> {
  const rows = await querySql(tx)`
    SELECT FROM memberships WHERE account_id = ${accountId} AND user_id = ${userId} AND user_id <> account_id
      AND role = ANY(${ROLES}) AND NOT limited_to_folders FOR SHARE`;
  return rows.length > 0;
}

/** Leave the conversations of a member who may no longer answer to nobody. */
export async function unassignMember(tx: Tx, { accountId, userId }: MembershipKey): Promise<void> {
  await executeSql(tx)`
    UPDATE conversations SET assignee_id = NULL, version = version + 1, updated_at = now()
    WHERE account_id = ${accountId} AND assignee_id = ${userId}`;
}

/** As `unassignMember`, for conversations of all accounts. Returns the number of those that were changed. */
export async function unassignErasedUser(tx: Tx, userId: string, limit: number): Promise<number> {
  return executeSql(tx)`
    UPDATE conversations SET assignee_id = NULL, version = version + 1, updated_at = now()
    WHERE id IN (SELECT id FROM conversations WHERE assignee_id = ${userId} LIMIT ${limit})`;
}
