import type { Tx } from '../../../platform/database.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { deleteMembershipsOfUser, lockMembershipsOfUser } from './member.repository.ts';
import { listOrganizationsOfOnlyOwner } from './organization.repository.ts';

/**
 * Delete the memberships of a user who is erased. Those that nobody else owned are erased by now.
 * @throws CONFLICT if their role changes in the meantime
 */
export async function eraseMemberships(tx: Tx, userId: string): Promise<void> {
  const isLocked = await lockMembershipsOfUser(tx, userId);
  if (!isLocked || (await listOrganizationsOfOnlyOwner(tx, userId)).length > 0)
    throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
  await deleteMembershipsOfUser(tx, userId);
}
