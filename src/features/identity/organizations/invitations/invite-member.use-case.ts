import type { Static } from 'typebox';
import { consumeAttempts } from '../../../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../../../platform/audit.ts';
import type { CurrentUser } from '../../../../platform/current-user.ts';
import type { Tx } from '../../../../platform/database.ts';
import type { IdempotentResult } from '../../../../platform/idempotency.ts';
import type { RequestContext } from '../../../../platform/request-context.ts';
import { DAY_SECONDS } from '../../../../shared/durations.ts';
import { requireValidEmail } from '../../../../shared/email.ts';
import { ServiceError } from '../../../../shared/errors.ts';
import { generateId } from '../../../../shared/ids.ts';
import type { AccountServices } from '../../accounts/account-services.ts';
import { consumeIpAddressMailQuota } from '../../accounts/mail-quota.ts';
import type { OrganizationRow } from '../organization.repository.ts';
import {
  countPendingInvitations,
  findInvitation,
  findPendingInvitation,
  hasMemberWithEmail,
  type InvitationRow,
  insertInvitation,
  renewInvitation,
} from './invitation.repository.ts';
import { toInvitationView } from './invitation.view.ts';
import { hashInvitedEmail, INVITATION_EMAIL } from './invitation-secrets.ts';
import {
  type InvitationSchema,
  MAX_PENDING_INVITATIONS,
  type NewInvitationInput,
} from './invitations.schemas.ts';
import { assertInvitable, getManagedOrganization, lockInvitingOrganization } from './managed-organization.ts';
import { createInvitationLink, sendInvitation } from './send-invitation.ts';

const MAX_MAILS_PER_DAY = 100;

/** To one address, after the first email. */
export const MAX_RESENDS_PER_DAY = 3;

/**
 * Invite an address to an organization. The result, and the email, are the same whether or not the address has an account.
 * An address that is invited already gets its invitation again, with this role.
 * @throws NOT_FOUND, FORBIDDEN, ORGANIZATION_CLOSED, ALREADY_MEMBER, TOO_MANY_INVITATIONS, PLAN_LIMIT_REACHED, RATE_LIMITED
 */
export async function inviteMember(
  services: AccountServices,
  context: RequestContext,
  user: CurrentUser,
  accountId: string,
  input: NewInvitationInput,
): Promise<IdempotentResult<Static<typeof InvitationSchema>>> {
  const { database, fieldCipher, createIdempotently } = services;
  const email = requireValidEmail(input.email);
  const { role } = input;
  const once = { who: user.id, fingerprint: { accountId, email, role } };
  const replayed = await createIdempotently.replay<Static<typeof InvitationSchema>>(context, once);
  if (replayed) return replayed;
  assertInvitable(await getManagedOrganization(database.client, user.id, accountId), role);
  await consumeIpAddressMailQuota(services, context);
  const result = await createIdempotently(context, once, async (tx) => {
    const organization = await lockInvitingOrganization(tx, user.id, accountId, role);
    if (await hasMemberWithEmail(tx, accountId, email)) throw new ServiceError('ALREADY_MEMBER');
    const row = await saveInvitation(services, tx, { organization, user, email, role });
    await recordAuditEntry(tx, context, { resourceId: accountId, accountId });
    return {
      body: toInvitationView(fieldCipher, row),
      location: `/api/organizations/${accountId}/invitations/${row.id}`,
      contentOf: accountId,
    };
  });
  services.mailOutbox.wake();
  return result;
}

/** Insert an invitation, or renew the one that the address has, and send it. */
async function saveInvitation(
  services: AccountServices,
  tx: Tx,
  {
    organization,
    user,
    email,
    role,
  }: { organization: OrganizationRow; user: CurrentUser; email: string; role: NewInvitationInput['role'] },
): Promise<InvitationRow> {
  const { fieldCipher } = services;
  const { id: accountId } = organization;
  const emailHash = hashInvitedEmail(fieldCipher, email);
  const existing = await findPendingInvitation(tx, accountId, emailHash);
  if (existing) {
    assertInvitable(organization, existing.role);
    return sendInvitationAgain(services, tx, organization, { row: { ...existing, role }, user, email });
  }
  if ((await countPendingInvitations(tx, accountId)) >= MAX_PENDING_INVITATIONS)
    throw new ServiceError('TOO_MANY_INVITATIONS');
  await services.reserveQuota(tx, 'members', accountId);
  await consumeInvitationMail(services, tx, accountId, email);
  const [id, link] = [generateId(), createInvitationLink()];
  const { tokenHash, expiresAt } = link;
  await insertInvitation(tx, {
    accountId,
    id,
    email: INVITATION_EMAIL.encrypt(fieldCipher, { id, accountId }, email),
    emailHash,
    role,
    tokenHash,
    invitedBy: user.id,
    expiresAt,
  });
  await sendInvitation(services, tx, organization, { email, inviterId: user.id, link });
  return readInvitation(tx, accountId, id);
}

/**
 * Send a pending invitation of a locked organization with a new link, which replaces the earlier one.
 * @throws PLAN_LIMIT_REACHED, RATE_LIMITED
 */
export async function sendInvitationAgain(
  services: AccountServices,
  tx: Tx,
  organization: OrganizationRow,
  { row, user, email }: { row: InvitationRow; user: CurrentUser; email: string },
): Promise<InvitationRow> {
  const { accountId, id, role } = row;
  // Until now it has counted for nothing.
  if (row.expiresAt <= new Date() || row.invitedBy === null)
    await services.reserveQuota(tx, 'members', accountId);
  await consumeInvitationMail(services, tx, accountId, email);
  const link = createInvitationLink();
  const { tokenHash, expiresAt } = link;
  await renewInvitation(tx, row, { role, tokenHash, invitedBy: user.id, expiresAt });
  await sendInvitation(services, tx, organization, { email, inviterId: user.id, link });
  return readInvitation(tx, accountId, id);
}

/** Consume one of the emails of an organization, and of those to an address, whichever invitation it is. @throws RATE_LIMITED */
async function consumeInvitationMail(
  { fieldCipher }: Pick<AccountServices, 'fieldCipher'>,
  tx: Tx,
  accountId: string,
  email: string,
): Promise<void> {
  const address = fieldCipher.hash('invitation-mails', accountId, email).toString('base64url');
  const windowSeconds = DAY_SECONDS;
  await consumeAttempts(tx, [
    { key: `invitation-mails:${accountId}`, allowed: MAX_MAILS_PER_DAY, windowSeconds },
    { key: `invitation-mails-to:${address}`, allowed: MAX_RESENDS_PER_DAY + 1, windowSeconds },
  ]);
}

async function readInvitation(tx: Tx, accountId: string, id: string): Promise<InvitationRow> {
  const row = await findInvitation(tx, accountId, id);
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}
