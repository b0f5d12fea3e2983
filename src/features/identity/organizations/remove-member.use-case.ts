import type { Static } from 'typebox';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import { type Db, runAfterCommit, type Tx } from '../../../platform/database.ts';
import type { MembershipKey } from '../../../platform/membership.repository.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import type { AccountServices } from '../accounts/account-services.ts';
import { requireRecentLogin } from '../accounts/require-recent-login.ts';
import {
  assertOwnerRemains,
  assertStillMember,
  getMember,
  lockMember,
  type OrganizationMember,
  publishMembershipChange,
} from './change-member-role.use-case.ts';
import { formatForeignName } from './invitations/invitation.rules.ts';
import { deleteMembership } from './member.repository.ts';
import { canManageMember, managesMembers } from './member.rules.ts';
import {
  countLinksOfMember,
  listApiKeysOfMember,
  listEndpointsOfAccount,
} from './member-access.repository.ts';
import type { MemberAccessSchema } from './members.schemas.ts';

type Services = Pick<AccountServices, 'database' | 'events' | 'mailOutbox'>;

/**
 * Read what ends with a membership, and what the member has learned, before it ends. For who may end it.
 * @throws NOT_FOUND, FORBIDDEN
 */
export async function readMemberAccess(
  db: Db,
  actorId: string,
  key: MembershipKey,
): Promise<OrganizationMember & { access: Static<typeof MemberAccessSchema> }> {
  const found = await getMember(db, actorId, key);
  assertMayRemove(actorId, found);
  const readsSecrets = managesMembers(found.member.role) && !found.organization.mustEnroll;
  const access = {
    apiKeys: await listApiKeysOfMember(db, key),
    webhookEndpoints: readsSecrets ? await listEndpointsOfAccount(db, key.accountId) : [],
    links: await countLinksOfMember(db, key),
  };
  return { ...found, access };
}

/**
 * Remove a member, who gets an email. Whoever removes themselves leaves.
 * @throws NOT_FOUND, FORBIDDEN, REAUTHENTICATION_REQUIRED for an owner, LAST_OWNER, PRECONDITION_FAILED
 */
export async function removeMember(
  services: Services,
  context: RequestContext,
  user: CurrentUser,
  { ifMatch, ...key }: MembershipKey & { ifMatch: string | undefined },
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const found = await lockMember(tx, user.id, key, ifMatch);
    const { organization, member } = found;
    assertMayRemove(user.id, found);
    if (user.id === key.userId) return endMembership(services, tx, context, found, 'MEMBER_LEFT');
    if (member.role === 'OWNER') await requireRecentLogin(tx, user);
    await endMembership(services, tx, context, found, 'MEMBER_REMOVED');
    await services.mailOutbox.enqueue(tx, {
      template: 'MEMBER_REMOVED',
      to: member.email,
      language: member.language,
      values: { organization: formatForeignName(organization.name) },
    });
    runAfterCommit(tx, () => services.mailOutbox.wake());
  });
}

/** Leave an organization. @throws NOT_FOUND, LAST_OWNER */
export async function leaveOrganization(
  services: Services,
  context: RequestContext,
  userId: string,
  accountId: string,
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const found = await lockMember(tx, userId, { accountId, userId });
    await endMembership(services, tx, context, found, 'MEMBER_LEFT');
  });
}

function assertMayRemove(actorId: string, { organization, member }: OrganizationMember): void {
  if (actorId !== member.id && !canManageMember(organization.role, member.role))
    throw new ServiceError('FORBIDDEN');
}

/** Their API keys need no change: they work by the membership. */
async function endMembership(
  { events }: Services,
  tx: Tx,
  context: RequestContext,
  { organization, member }: OrganizationMember,
  action: 'MEMBER_REMOVED' | 'MEMBER_LEFT',
): Promise<void> {
  assertOwnerRemains(member);
  const key = { accountId: organization.id, userId: member.id };
  assertStillMember(await deleteMembership(tx, key));
  await publishMembershipChange(tx, events, { ...key, role: null });
  await recordAuditEntry(tx, context, {
    action,
    resourceType: 'USER',
    resourceId: key.userId,
    accountId: key.accountId,
  });
}
