import { hasRolePermission, type Permission } from '../permissions.ts';
import { ServiceError } from '../shared/errors.ts';
import { findOpenSession } from './authentication.repository.ts';
import type { Tx } from './database.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Check the actor again after locking: rights can be revoked meanwhile.
 * @throws UNAUTHENTICATED, ACCOUNT_SUSPENDED, FORBIDDEN
 */
export async function assertStillAuthorized(
  tx: Tx,
  { user }: Pick<RequestContext, 'user'>,
  permission: Permission,
  isEnterpriseEnforced: boolean,
): Promise<void> {
  const session = user && (await findOpenSession(tx, user.sessionId, isEnterpriseEnforced));
  if (!session) throw new ServiceError('UNAUTHENTICATED');
  if (session.status === 'SUSPENDED') throw new ServiceError('ACCOUNT_SUSPENDED');
  if (!hasRolePermission(session.role, permission)) throw new ServiceError('FORBIDDEN');
}
