import { consumeAttempts, refundAttempts } from '../../../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../../../platform/audit.ts';
import type { CurrentUser } from '../../../../platform/current-user.ts';
import type { Db, Tx } from '../../../../platform/database.ts';
import { listOwnerEmails } from '../../../../platform/membership.repository.ts';
import type { RequestContext } from '../../../../platform/request-context.ts';
import { HOUR_SECONDS } from '../../../../shared/durations.ts';
import { ServiceError } from '../../../../shared/errors.ts';
import type { AccountServices } from '../../accounts/account-services.ts';
import { findUser } from '../../accounts/user.repository.ts';
import { findOrganization, lockOrganization, lockOwner } from '../organization.repository.ts';
import { endInvitation } from './invitation.repository.ts';
import { formatForeignName, getInvitationStatus } from './invitation.rules.ts';
import { hashInvitationToken, hashInvitedEmail } from './invitation-secrets.ts';
import type { InvitationAnswerInput } from './invitations.schemas.ts';
import {
  findReceivedInvitation,
  type InvitationName,
  insertMembership,
  type ReceivedInvitationRow,
} from './received-invitation.repository.ts';

type Services = Pick<AccountServices, 'database' | 'fieldCipher' | 'mailOutbox'>;

/** Links of a user that lead to no invitation of theirs. */
const MAX_WRONG_LINKS_PER_HOUR = 20;

/**
 * Find the invitation that the link of an email leads to: one that can be answered, or that made this user a member.
 * @throws INVITATION_INVALID if this user cannot answer it, for whatever reason; RATE_LIMITED after many of these
 */
export function findInvitationByToken(
  services: Services,
  user: CurrentUser,
  token: string,
): Promise<ReceivedInvitationRow> {
  const { client } = services.database;
  return withNamedInvitation(services, user, { token }, async (name) => {
    const row = await findReceivedInvitation(client, name.emailHash, name);
    return row && (await hasMadeMember(client, user, row)) ? row : requireAnswerable(row);
  });
}

/**
 * Become a member of an organization by the link of an email, or by an invitation in one's list. A repeat changes nothing.
 * @throws INVITATION_INVALID, RATE_LIMITED, UNAUTHENTICATED if the user was erased meanwhile
 */
export async function acceptInvitation(
  services: Services,
  context: RequestContext,
  user: CurrentUser,
  answer: InvitationAnswerInput,
): Promise<ReceivedInvitationRow> {
  const { database, mailOutbox } = services;
  const accepted = await withNamedInvitation(services, user, answer, (name) =>
    database.transaction(async (tx) => {
      const invitation = await lockReceivedInvitation(tx, name);
      const { accountId, role } = invitation;
      if (!(await hasMadeMember(tx, user, invitation))) {
        requireAnswerable(invitation);
        if (!(await lockOwner(tx, user.id))) throw new ServiceError('UNAUTHENTICATED');
        await insertMembership(tx, { accountId, userId: user.id, role });
        await endInvitation(tx, invitation, 'ACCEPTED');
        await recordAuditEntry(tx, context, { resourceId: accountId, accountId });
        await sendAcceptance(services, tx, user, invitation);
      }
      return invitation;
    }),
  );
  mailOutbox.wake();
  return accepted;
}

/** Decline an invitation. A repeat changes nothing. @throws INVITATION_INVALID, RATE_LIMITED */
export function declineInvitation(
  services: Services,
  context: RequestContext,
  user: CurrentUser,
  answer: InvitationAnswerInput,
): Promise<ReceivedInvitationRow> {
  return withNamedInvitation(services, user, answer, (name) =>
    services.database.transaction(async (tx) => {
      const invitation = await lockReceivedInvitation(tx, name);
      if (invitation.status === 'DECLINED') return invitation;
      requireAnswerable(invitation);
      await endInvitation(tx, invitation, 'DECLINED');
      const { accountId } = invitation;
      await recordAuditEntry(tx, context, { resourceId: accountId, accountId });
      return invitation;
    }),
  );
}

type NamedInvitation = InvitationName & { emailHash: Buffer<ArrayBuffer> };

/** Count a wrong link before it is compared: a refusal rolls back nothing of it. */
async function withNamedInvitation<Result>(
  { database, fieldCipher }: Services,
  user: CurrentUser,
  { token, invitationId }: InvitationAnswerInput,
  work: (name: NamedInvitation) => Promise<Result>,
): Promise<Result> {
  const emailHash = hashInvitedEmail(fieldCipher, user.email);
  const limit = {
    key: `invitation-links:${user.id}`,
    allowed: MAX_WRONG_LINKS_PER_HOUR,
    windowSeconds: HOUR_SECONDS,
  };
  await database.transaction((tx) => consumeAttempts(tx, [limit]));
  const name = token === undefined ? { id: invitationId ?? '' } : { tokenHash: hashInvitationToken(token) };
  const result = await work({ ...name, emailHash });
  await refundAttempts(database.client, [limit.key]);
  return result;
}

/** Lock the organization of an invitation, then read the invitation as it is now. */
async function lockReceivedInvitation(tx: Tx, name: NamedInvitation): Promise<ReceivedInvitationRow> {
  const found = await findReceivedInvitation(tx, name.emailHash, name);
  if (!found) throw new ServiceError('INVITATION_INVALID');
  await lockOrganization(tx, found.accountId);
  const locked = await findReceivedInvitation(tx, name.emailHash, name);
  if (!locked) throw new ServiceError('INVITATION_INVALID');
  return locked;
}

function requireAnswerable(row: ReceivedInvitationRow | null): ReceivedInvitationRow {
  if (!row || getInvitationStatus(row, new Date()) !== 'PENDING')
    throw new ServiceError('INVITATION_INVALID');
  return row;
}

/** Tell the owners, and who invited. */
async function sendAcceptance(
  { mailOutbox }: Services,
  tx: Tx,
  user: CurrentUser,
  { accountId, organizationName, inviterId }: ReceivedInvitationRow,
): Promise<void> {
  const [member, inviter] = [await findUser(tx, user.id), inviterId && (await findUser(tx, inviterId))];
  const name = [member?.firstName, member?.lastName].filter(Boolean).join(' ');
  const values = {
    organization: organizationName,
    member: formatForeignName(name),
    email: user.email,
  };
  const recipients = [...(await listOwnerEmails(tx, accountId)), ...(inviter ? [inviter.email] : [])];
  for (const to of new Set(recipients))
    await mailOutbox.enqueue(tx, { template: 'INVITATION_ACCEPTED', to, values });
}

async function hasMadeMember(
  db: Db | Tx,
  { id: userId }: CurrentUser,
  { status, accountId }: ReceivedInvitationRow,
): Promise<boolean> {
  return status === 'ACCEPTED' && (await findOrganization(db, userId, accountId)) !== null;
}
