import type { Db, Tx } from '../../../../platform/database.ts';
import { querySql, sql } from '../../../../platform/sql.ts';
import type { AccountRole } from '../../../../shared/account-roles.ts';
import { formatForeignName, type InvitedRole, type StoredInvitationStatus } from './invitation.rules.ts';

/** How somebody names an invitation: by the hash of the token in its link, or as one of their own list. */
export type InvitationName = { tokenHash: Uint8Array } | { id: string };

export interface ReceivedInvitationRow {
  accountId: string;
  id: string;
  role: InvitedRole;
  status: StoredInvitationStatus;
  expiresAt: Date;
  createdAt: Date;
  /** The names are those that others chose, formatted. */
  organizationName: string;
  /** Null once they have left. */
  inviterId: string | null;
  inviterRole: AccountRole | null;
  inviterName: string;
}

const MAX_LISTED = 100;

/** Of organizations that take members. */
const RECEIVED_SQL = sql`
  SELECT invitation.account_id AS "accountId", invitation.id, invitation.role, invitation.status,
         invitation.expires_at AS "expiresAt", invitation.created_at AS "createdAt",
         coalesce(account.name, '') AS "organizationName", membership.user_id AS "inviterId",
         membership.role AS "inviterRole", concat_ws(' ', inviter.first_name, inviter.last_name) AS "inviterName"
  FROM invitations AS invitation
  JOIN accounts AS account
    ON account.id = invitation.account_id AND account.status = 'ACTIVE' AND account.delete_after IS NULL
  LEFT JOIN memberships AS membership
    ON membership.account_id = invitation.account_id AND membership.user_id = invitation.invited_by
  LEFT JOIN users AS inviter ON inviter.id = membership.user_id`;

/** List the pending invitations of an address that were not stopped, the newest 100 first. */
export async function listReceivedInvitations(
  db: Db,
  emailHash: Uint8Array,
): Promise<ReceivedInvitationRow[]> {
  const rows = await querySql<ReceivedInvitationRow>(db)`
    ${RECEIVED_SQL}
    WHERE invitation.email_hash = ${emailHash} AND invitation.status = 'PENDING' AND invitation.expires_at > now()
      AND invitation.invited_by IS NOT NULL
    ORDER BY invitation.created_at DESC, invitation.id DESC LIMIT ${MAX_LISTED}`;
  return rows.map(formatNames);
}

/** Find an invitation of an address; null where it is for another one, or the organization takes no members. */
export async function findReceivedInvitation(
  db: Db | Tx,
  emailHash: Uint8Array,
  name: InvitationName,
): Promise<ReceivedInvitationRow | null> {
  const isNamed =
    'id' in name ? sql`invitation.id = ${name.id}` : sql`invitation.token_hash = ${name.tokenHash}`;
  const rows = await querySql<ReceivedInvitationRow>(db)`
    ${RECEIVED_SQL} WHERE invitation.email_hash = ${emailHash} AND ${isNamed}`;
  return rows[0] ? formatNames(rows[0]) : null;
}

function formatNames(row: ReceivedInvitationRow): ReceivedInvitationRow {
  const { organizationName, inviterName } = row;
  return {
    ...row,
    organizationName: formatForeignName(organizationName),
    inviterName: formatForeignName(inviterName),
  };
}

/** Insert a membership; one that there is keeps its role. */
export async function insertMembership(
  tx: Tx,
  membership: { accountId: string; userId: string; role: InvitedRole },
): Promise<void> {
  await tx.membership.createMany({ data: [membership], skipDuplicates: true });
}
