import type { Db, Tx } from '../../../../platform/database.ts';
import { ServiceError } from '../../../../shared/errors.ts';
import { getOwnOrganization } from '../manage-organizations.use-case.ts';
import { lockOrganization, lockOwner, type OrganizationRow } from '../organization.repository.ts';
import { findInvitation, type InvitationRow } from './invitation.repository.ts';
import { type InvitedRole, listInvitableRoles } from './invitation.rules.ts';

/** Get an organization as a member who may invite to it. @throws NOT_FOUND, FORBIDDEN */
export async function getManagedOrganization(db: Db, userId: string, id: string): Promise<OrganizationRow> {
  const row = await getOwnOrganization(db, userId, id);
  if (listInvitableRoles(row.role).length === 0) throw new ServiceError('FORBIDDEN');
  return row;
}

/**
 * Lock an organization as a member who may invite to it as a role, and this user: an erasure stops what they have sent by then.
 * @throws NOT_FOUND, FORBIDDEN, ORGANIZATION_CLOSED if it takes no members, UNAUTHENTICATED for a user who was erased meanwhile
 */
export async function lockInvitingOrganization(
  tx: Tx,
  userId: string,
  id: string,
  role: InvitedRole,
): Promise<OrganizationRow> {
  await lockOrganization(tx, id);
  const row = await getManagedOrganization(tx, userId, id);
  assertInvitable(row, role);
  if (!isOpen(row)) throw new ServiceError('ORGANIZATION_CLOSED');
  if (!(await lockOwner(tx, userId))) throw new ServiceError('UNAUTHENTICATED');
  return row;
}

/** Get an invitation of an organization as a member who may invite to it. @throws NOT_FOUND, FORBIDDEN */
export async function getManagedInvitation(
  db: Db,
  userId: string,
  { accountId, id }: { accountId: string; id: string },
): Promise<InvitationRow> {
  await getManagedOrganization(db, userId, accountId);
  const row = await findInvitation(db, accountId, id);
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

/** Only who may invite as a role changes invitations to it. @throws FORBIDDEN */
export function assertInvitable({ role }: Pick<OrganizationRow, 'role'>, invited: InvitedRole): void {
  if (!listInvitableRoles(role).includes(invited)) throw new ServiceError('FORBIDDEN');
}

/** Whether an organization takes members. */
export function isOpen({ status, deleteAfter }: Pick<OrganizationRow, 'status' | 'deleteAfter'>): boolean {
  return status === 'ACTIVE' && deleteAfter === null;
}
