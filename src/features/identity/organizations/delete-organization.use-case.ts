import { recordAuditEntry } from '../../../platform/audit.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import { listOwnerEmails } from '../../../platform/membership.repository.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import type { AccountServices } from '../accounts/account-services.ts';
import { requireRecentLogin } from '../accounts/require-recent-login.ts';
import { formatForeignName } from './invitations/invitation.rules.ts';
import { getOwnOrganization, lockOwnOrganization } from './manage-organizations.use-case.ts';
import { type OrganizationRow, updateOrganization } from './organization.repository.ts';

type Services = Pick<AccountServices, 'database' | 'mailOutbox'>;

/**
 * Delete an organization as its owner. It works on until it is erased, a week later; each owner gets an email.
 * @throws NOT_FOUND, FORBIDDEN, REAUTHENTICATION_REQUIRED, PRECONDITION_FAILED
 */
export async function deleteOrganization(
  { database, mailOutbox }: Services,
  context: RequestContext,
  user: CurrentUser,
  id: string,
  ifMatch: string | undefined,
): Promise<OrganizationRow> {
  const deleted = await database.transaction(async (tx) => {
    const before = await lockOwnOrganization(tx, user.id, id, ifMatch);
    await requireRecentLogin(tx, user);
    if (before.deleteAfter) return before;
    const deleteAfter = new Date(Date.now() + LIFETIMES_SECONDS.deletedOrganization * 1000);
    await updateOrganization(tx, id, { deleteAfter });
    await recordAuditEntry(tx, context, { resourceId: id });
    const values = { organization: formatForeignName(before.name), deleteAfter };
    for (const to of await listOwnerEmails(tx, id))
      await mailOutbox.enqueue(tx, { template: 'ORGANIZATION_DELETED', to, values });
    return getOwnOrganization(tx, user.id, id);
  });
  mailOutbox.wake();
  return deleted;
}

/** Restore an organization that is not erased yet. @throws NOT_FOUND, FORBIDDEN, PRECONDITION_FAILED */
export function restoreOrganization(
  { database }: Services,
  context: RequestContext,
  userId: string,
  id: string,
  ifMatch: string | undefined,
): Promise<OrganizationRow> {
  return database.transaction(async (tx) => {
    const before = await lockOwnOrganization(tx, userId, id, ifMatch);
    if (!before.deleteAfter) return before;
    await updateOrganization(tx, id, { deleteAfter: null });
    await recordAuditEntry(tx, context, { resourceId: id });
    return getOwnOrganization(tx, userId, id);
  });
}
