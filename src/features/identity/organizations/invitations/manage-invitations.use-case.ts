import { recordAuditEntry } from '../../../../platform/audit.ts';
import type { CurrentUser } from '../../../../platform/current-user.ts';
import type { RequestContext } from '../../../../platform/request-context.ts';
import { ServiceError } from '../../../../shared/errors.ts';
import type { AccountServices } from '../../accounts/account-services.ts';
import { consumeIpAddressMailQuota } from '../../accounts/mail-quota.ts';
import { lockOrganization } from '../organization.repository.ts';
import { endInvitation, type InvitationRow } from './invitation.repository.ts';
import { INVITATION_EMAIL } from './invitation-secrets.ts';
import { sendInvitationAgain } from './invite-member.use-case.ts';
import {
  assertInvitable,
  getManagedInvitation,
  getManagedOrganization,
  lockInvitingOrganization,
} from './managed-organization.ts';

interface InvitationKey {
  accountId: string;
  id: string;
}

/**
 * Send a pending invitation again, with a new link, in the name of this user.
 * @throws NOT_FOUND, FORBIDDEN, ORGANIZATION_CLOSED, INVITATION_ENDED, PLAN_LIMIT_REACHED, RATE_LIMITED
 */
export async function resendInvitation(
  services: AccountServices,
  context: RequestContext,
  user: CurrentUser,
  key: InvitationKey,
): Promise<InvitationRow> {
  const { database, fieldCipher, mailOutbox } = services;
  const { role } = await getManagedInvitation(database.client, user.id, key);
  assertInvitable(await getManagedOrganization(database.client, user.id, key.accountId), role);
  await consumeIpAddressMailQuota(services, context);
  const sent = await database.transaction(async (tx) => {
    await lockOrganization(tx, key.accountId);
    const row = await getManagedInvitation(tx, user.id, key);
    const organization = await lockInvitingOrganization(tx, user.id, key.accountId, row.role);
    if (row.status !== 'PENDING') throw new ServiceError('INVITATION_ENDED');
    const email = INVITATION_EMAIL.decrypt(fieldCipher, row);
    const renewed = await sendInvitationAgain(services, tx, organization, { row, user, email });
    await recordAuditEntry(tx, context, { resourceId: key.accountId, accountId: key.accountId });
    return renewed;
  });
  mailOutbox.wake();
  return sent;
}

/** Revoke a pending invitation; one that was revoked stays so. @throws NOT_FOUND, FORBIDDEN, INVITATION_ENDED */
export function revokeInvitation(
  { database }: Pick<AccountServices, 'database'>,
  context: RequestContext,
  user: CurrentUser,
  key: InvitationKey,
): Promise<void> {
  return database.transaction(async (tx) => {
    await lockOrganization(tx, key.accountId);
    const row = await getManagedInvitation(tx, user.id, key);
    assertInvitable(await getManagedOrganization(tx, user.id, key.accountId), row.role);
    if (row.status === 'REVOKED') return;
    if (!(await endInvitation(tx, key, 'REVOKED'))) throw new ServiceError('INVITATION_ENDED');
    await recordAuditEntry(tx, context, { resourceId: key.accountId, accountId: key.accountId });
  });
}
