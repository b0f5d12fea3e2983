import { isDeepStrictEqual } from 'node:util';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import { type Db, notifyAfterCommit, type Tx } from '../../../platform/database.ts';
import type { DomainEventBus } from '../../../platform/events.ts';
import { assertIfMatch } from '../../../platform/http/if-match.ts';
import type { MembershipKey } from '../../../platform/membership.repository.ts';
import { getUserAccessTopic } from '../../../platform/realtime/realtime-messages.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import type { AccountRole } from '../../../shared/account-roles.ts';
import type { DomainEventPayloads } from '../../../shared/domain-events.ts';
import { createValidationError, ServiceError } from '../../../shared/errors.ts';
import type { AccountServices } from '../accounts/account-services.ts';
import { requireRecentLogin } from '../accounts/require-recent-login.ts';
import { stopInvitationsOfMember } from './invitations/invitation.repository.ts';
import { listInvitableRoles } from './invitations/invitation.rules.ts';
import { assertEnrolled, getOrganizationOfMember } from './manage-organizations.use-case.ts';
import { findMember, type MemberRow, updateMemberFolders, updateMemberRole } from './member.repository.ts';
import { canManageMember, managesMembers } from './member.rules.ts';
import { MAX_MEMBER_FOLDERS } from './members.schemas.ts';
import { lockOrganization, type OrganizationRow } from './organization.repository.ts';

/** A member, and the organization as who reads it sees it. */
export interface OrganizationMember {
  organization: OrganizationRow;
  member: MemberRow;
}

/**
 * Get a member of an organization as another one, or oneself.
 * @throws NOT_FOUND, MFA_ENROLLMENT_REQUIRED for another one
 */
export async function getMember(
  db: Db,
  actorId: string,
  { accountId, userId }: MembershipKey,
): Promise<OrganizationMember> {
  const organization = await getOrganizationOfMember(db, actorId, accountId);
  if (userId !== actorId) assertEnrolled(organization);
  const member = await findMember(db, { accountId, userId });
  if (!member) throw new ServiceError('NOT_FOUND');
  return { organization, member };
}

/**
 * Lock an organization, so that no other membership of it changes, and get one of its members.
 * @throws NOT_FOUND, MFA_ENROLLMENT_REQUIRED for another member than the actor, PRECONDITION_FAILED
 */
export async function lockMember(
  tx: Tx,
  actorId: string,
  key: MembershipKey,
  ifMatch?: string,
): Promise<OrganizationMember> {
  await lockOrganization(tx, key.accountId);
  const found = await getMember(tx, actorId, key);
  assertIfMatch(ifMatch, found.member.version);
  return found;
}

/** End what the member may no longer do, in the transaction of the change; sockets soon after its commit. */
export async function publishMembershipChange(
  tx: Tx,
  events: DomainEventBus,
  change: DomainEventPayloads['membership.changed'],
): Promise<void> {
  await stopInvitationsOfMember(tx, change, listInvitableRoles(change.role));
  await events.publish(tx, 'membership.changed', change);
  notifyAfterCommit(tx, getUserAccessTopic(change.userId));
}

/** @throws FORBIDDEN for a user who is suspended or has no profile */
export function assertMayOwn({ isActive }: MemberRow): void {
  if (!isActive) throw new ServiceError('FORBIDDEN');
}

/** @throws LAST_OWNER if an organization would be left without an owner who is not suspended */
export function assertOwnerRemains({ role, hasOtherOwner }: MemberRow): void {
  if (role === 'OWNER' && !hasOtherOwner) throw new ServiceError('LAST_OWNER');
}

/** The erasure of a user ends their memberships without the lock of the organization. @throws NOT_FOUND */
export function assertStillMember(hasChanged: boolean): void {
  if (!hasChanged) throw new ServiceError('NOT_FOUND');
}

/**
 * Limit a member to the codes in some folders from the next request on, or end the limit with null.
 * @throws NOT_FOUND, FORBIDDEN, MFA_ENROLLMENT_REQUIRED, PRECONDITION_FAILED, VALIDATION_FAILED for an owner or a manager, and
 * for a folder that does not exist
 */
export function limitMemberToFolders(
  { database, events }: Pick<AccountServices, 'database' | 'events'>,
  context: RequestContext,
  user: CurrentUser,
  {
    folderIds,
    ifMatch,
    ...key
  }: MembershipKey & { folderIds: readonly string[] | null; ifMatch: string | undefined },
): Promise<OrganizationMember> {
  return database.transaction(async (tx) => {
    const before = await lockMember(tx, user.id, key, ifMatch);
    const { organization, member } = before;
    assertEnrolled(organization);
    if (!managesMembers(organization.role) || !canManageMember(organization.role, member.role))
      throw new ServiceError('FORBIDDEN');
    if (isDeepStrictEqual(member.folderIds, folderIds === null ? null : folderIds.toSorted())) return before;
    if (folderIds !== null && managesMembers(member.role)) throw createValidationError(UNLIMITED_ROLE);
    if (folderIds !== null && folderIds.length > MAX_MEMBER_FOLDERS)
      throw createValidationError(TOO_MANY_FOLDERS);
    if (!(await updateMemberFolders(tx, key, folderIds))) throw createValidationError(UNKNOWN_FOLDER);
    await publishMembershipChange(tx, events, {
      ...key,
      role: member.role,
      ...(folderIds !== null && { isLimited: true }),
    });
    await recordAuditEntry(tx, context, {
      action: 'MEMBER_FOLDERS_CHANGED',
      resourceType: 'USER',
      resourceId: key.userId,
      accountId: key.accountId,
      changes: ['folderIds'],
    });
    return getMember(tx, user.id, key);
  });
}

const UNLIMITED_ROLE = {
  field: 'folderIds',
  code: 'NOT_ALLOWED',
  message: 'Must be null for owners and managers, who have all codes.',
};

const TOO_MANY_FOLDERS = {
  field: 'folderIds',
  code: 'TOO_MANY',
  message: `Must be up to ${MAX_MEMBER_FOLDERS} folders.`,
};

const UNKNOWN_FOLDER = {
  field: 'folderIds',
  code: 'UNKNOWN',
  message: 'Must be folders of the organization.',
};

/**
 * Change the role of a member, who may from then on do what it allows. Who owns it is decided soon after a login.
 * @throws NOT_FOUND, FORBIDDEN, MFA_ENROLLMENT_REQUIRED, REAUTHENTICATION_REQUIRED, LAST_OWNER, PRECONDITION_FAILED
 */
export function changeMemberRole(
  { database, events }: Pick<AccountServices, 'database' | 'events'>,
  context: RequestContext,
  user: CurrentUser,
  { role, ifMatch, ...key }: MembershipKey & { role: AccountRole; ifMatch: string | undefined },
): Promise<OrganizationMember> {
  return database.transaction(async (tx) => {
    const before = await lockMember(tx, user.id, key, ifMatch);
    const { organization, member } = before;
    assertEnrolled(organization);
    if (!canManageMember(organization.role, member.role, role)) throw new ServiceError('FORBIDDEN');
    if (member.role === role) return before;
    if ([member.role, role].includes('OWNER')) await requireRecentLogin(tx, user);
    if (role === 'OWNER') assertMayOwn(member);
    assertOwnerRemains(member);
    assertStillMember(await updateMemberRole(tx, key, role));
    await publishMembershipChange(tx, events, { ...key, role });
    await recordAuditEntry(tx, context, {
      resourceType: 'USER',
      resourceId: key.userId,
      accountId: key.accountId,
      changes: ['role'],
    });
    return getMember(tx, user.id, key);
  });
}
