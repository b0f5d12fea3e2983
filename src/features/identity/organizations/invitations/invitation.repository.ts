import type { Db, Tx } from '../../../../platform/database.ts';
import type { MembershipKey } from '../../../../platform/membership.repository.ts';
import { executeSql, querySql, sql } from '../../../../platform/sql.ts';
import type { AccountRole } from '../../../../shared/account-roles.ts';
import type { InvitedRole, StoredInvitationStatus } from './invitation.rules.ts';

export interface InvitationRow {
  accountId: string;
  id: string;
  email: Uint8Array;
  role: InvitedRole;
  status: StoredInvitationStatus;
  sends: number;
  lastSentAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
  createdAt: Date;
  invitedBy: string | null;
  /** That of who invited; null once they may not any more. */
  inviterRole: AccountRole | null;
}

const INVITATIONS_SQL = sql`
  SELECT invitation.account_id AS "accountId", invitation.id, invitation.email, invitation.role, invitation.status,
         invitation.sends, invitation.last_sent_at AS "lastSentAt", invitation.expires_at AS "expiresAt",
         invitation.ended_at AS "endedAt", invitation.created_at AS "createdAt", invitation.invited_by AS "invitedBy",
         inviter.role AS "inviterRole"
  FROM invitations AS invitation
  LEFT JOIN memberships AS inviter
    ON inviter.account_id = invitation.account_id AND inviter.user_id = invitation.invited_by`;

/** List the invitations of an organization that nobody has answered or revoked, newest first. They are few. */
export async function listPendingInvitations(db: Db, accountId: string): Promise<InvitationRow[]> {
  return querySql<InvitationRow>(db)`
    ${INVITATIONS_SQL} WHERE invitation.account_id = ${accountId} AND invitation.status = 'PENDING'
    ORDER BY invitation.created_at DESC, invitation.id DESC`;
}

/** Find an invitation of an organization. */
export async function findInvitation(db: Db, accountId: string, id: string): Promise<InvitationRow | null> {
  const rows = await querySql<InvitationRow>(db)`
    ${INVITATIONS_SQL} WHERE invitation.account_id = ${accountId} AND invitation.id = ${id}`;
  return rows[0] ?? null;
}

/** Find the pending invitation of an address to an organization that is locked. */
export async function findPendingInvitation(
  tx: Tx,
  accountId: string,
  emailHash: Uint8Array,
): Promise<InvitationRow | null> {
  const rows = await querySql<InvitationRow>(tx)`
    ${INVITATIONS_SQL}
    WHERE invitation.account_id = ${accountId} AND invitation.email_hash = ${emailHash} AND invitation.status = 'PENDING'`;
  return rows[0] ?? null;
}

export async function countPendingInvitations(tx: Tx, accountId: string): Promise<number> {
  return tx.invitation.count({ where: { accountId, status: 'PENDING' } });
}

export async function hasMemberWithEmail(tx: Tx, accountId: string, email: string): Promise<boolean> {
  const rows = await querySql(tx)`
    SELECT FROM memberships AS membership JOIN users AS member ON member.id = membership.user_id
    WHERE membership.account_id = ${accountId} AND member.email = ${email}`;
  return rows.length > 0;
}

/** What each email about an invitation sets anew. */
interface SentInvitation {
  role: InvitedRole;
  tokenHash: Uint8Array<ArrayBuffer>;
  invitedBy: string;
  expiresAt: Date;
}

export async function insertInvitation(
  tx: Tx,
  invitation: SentInvitation & {
    accountId: string;
    id: string;
    email: Uint8Array<ArrayBuffer>;
    emailHash: Uint8Array<ArrayBuffer>;
  },
): Promise<void> {
  await tx.invitation.create({ data: invitation, select: { id: true } });
}

export async function renewInvitation(
  tx: Tx,
  { accountId, id }: { accountId: string; id: string },
  sent: SentInvitation,
): Promise<void> {
  const data = { ...sent, sends: { increment: 1 }, lastSentAt: new Date() };
  await tx.invitation.update({ where: { accountId_id: { accountId, id } }, data, select: { id: true } });
}

/** End a pending invitation; false if it has ended already. */
export async function endInvitation(
  tx: Tx,
  { accountId, id }: { accountId: string; id: string },
  status: Exclude<StoredInvitationStatus, 'PENDING'>,
): Promise<boolean> {
  const ended = await executeSql(tx)`
    UPDATE invitations SET status = ${status}, ended_at = now()
    WHERE account_id = ${accountId} AND id = ${id} AND status = 'PENDING'`;
  return ended === 1;
}

/** Stop for good what a member of a locked organization sent as roles that they may no longer invite to. */
export async function stopInvitationsOfMember(
  tx: Tx,
  { accountId, userId }: MembershipKey,
  invitableRoles: readonly InvitedRole[],
): Promise<void> {
  await executeSql(tx)`
    UPDATE invitations SET invited_by = NULL
    WHERE account_id = ${accountId} AND invited_by = ${userId} AND status = 'PENDING'
      AND NOT role = ANY(${[...invitableRoles]}::text[])`;
}

/** Lock what a user who is erased has sent and received, in one order for users who have invited each other. */
export async function lockInvitationsOfUser(tx: Tx, userId: string, emailHash: Uint8Array): Promise<void> {
  await querySql(tx)`
    SELECT FROM invitations WHERE email_hash = ${emailHash} OR invited_by = ${userId} ORDER BY id FOR UPDATE`;
}

/** Stop for good what a user who is erased has sent. */
export async function stopInvitationsOfUser(tx: Tx, userId: string): Promise<void> {
  await executeSql(tx)`
    UPDATE invitations SET invited_by = NULL WHERE invited_by = ${userId} AND status = 'PENDING'`;
}

export async function deleteExpiredInvitations(db: Db, before: Date): Promise<number> {
  return executeSql(db)`DELETE FROM invitations WHERE expires_at < ${before}`;
}

/** Delete what a user whose account is erased was invited to. */
export async function deleteInvitationsOfEmail(tx: Tx, emailHash: Uint8Array): Promise<void> {
  await executeSql(tx)`DELETE FROM invitations WHERE email_hash = ${emailHash}`;
}
