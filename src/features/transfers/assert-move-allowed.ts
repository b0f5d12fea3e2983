import type { Db } from '../../platform/database.ts';
import { type AccountRole, EDITING_ROLES } from '../../shared/account-roles.ts';
import { ServiceError } from '../../shared/errors.ts';
import { findUser, getOwnOrganization } from '../identity/index.ts';

interface RequestedMove {
  accountId: string;
  toAccountId: string;
  requestedBy: string;
}

/**
 * Check that a user owns the one account, and may create codes in the other.
 * @throws ACCOUNT_SUSPENDED, NOT_FOUND, FORBIDDEN, MFA_ENROLLMENT_REQUIRED, ORGANIZATION_CLOSED if the other account is to be erased
 */
export async function assertMoveAllowed(
  db: Db,
  { accountId, toAccountId, requestedBy }: RequestedMove,
): Promise<void> {
  if ((await findUser(db, requestedBy))?.status !== 'ACTIVE') throw new ServiceError('ACCOUNT_SUSPENDED');
  if ((await getRole(db, requestedBy, accountId)) !== 'OWNER') throw new ServiceError('FORBIDDEN');
  if (!EDITING_ROLES.includes(await getRole(db, requestedBy, toAccountId, true)))
    throw new ServiceError('FORBIDDEN');
}

/** Users own their personal account. */
async function getRole(db: Db, userId: string, accountId: string, isReceiver = false): Promise<AccountRole> {
  if (accountId === userId) return 'OWNER';
  const { role, status, deleteAfter, isLimited } = await getOwnOrganization(db, userId, accountId);
  if (status !== 'ACTIVE' || (isReceiver && deleteAfter)) throw new ServiceError('ORGANIZATION_CLOSED');
  // Codes come from all folders, and arrive in none.
  if (isLimited) throw new ServiceError('FORBIDDEN');
  return role;
}
