import { recordAuditEntry } from '../../../platform/audit.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { createValidationError } from '../../../shared/errors.ts';
import type { AccountServices } from '../accounts/account-services.ts';
import { requireRecentLogin } from '../accounts/require-recent-login.ts';
import {
  assertMayOwn,
  assertStillMember,
  getMember,
  publishMembershipChange,
} from './change-member-role.use-case.ts';
import { getOwnOrganization, lockOwnOrganization } from './manage-organizations.use-case.ts';
import { updateMemberRole } from './member.repository.ts';
import type { OrganizationRow } from './organization.repository.ts';

/**
 * Make another member an owner in place of this one, who becomes a manager.
 * @throws NOT_FOUND, FORBIDDEN, REAUTHENTICATION_REQUIRED, PRECONDITION_FAILED, VALIDATION_FAILED for themselves
 */
export async function transferOwnership(
  { database, events }: Pick<AccountServices, 'database' | 'events'>,
  context: RequestContext,
  user: CurrentUser,
  { id, newOwnerId, ifMatch }: { id: string; newOwnerId: string; ifMatch: string | undefined },
): Promise<OrganizationRow> {
  return database.transaction(async (tx) => {
    await lockOwnOrganization(tx, user.id, id, ifMatch);
    await requireRecentLogin(tx, user);
    const key = { accountId: id, userId: newOwnerId };
    const { member } = await getMember(tx, user.id, key);
    if (member.id === user.id)
      throw createValidationError({
        field: 'userId',
        code: 'NOT_ALLOWED',
        message: 'Must be another member.',
      });
    assertMayOwn(member);
    // In this order, so that there is an owner in between.
    if (member.role !== 'OWNER') {
      assertStillMember(await updateMemberRole(tx, key, 'OWNER'));
      await publishMembershipChange(tx, events, { ...key, role: 'OWNER' });
    }
    const giver = { accountId: id, userId: user.id };
    assertStillMember(await updateMemberRole(tx, giver, 'MANAGER'));
    await publishMembershipChange(tx, events, { ...giver, role: 'MANAGER' });
    await recordAuditEntry(tx, context, { resourceType: 'USER', resourceId: member.id, accountId: id });
    return getOwnOrganization(tx, user.id, id);
  });
}
