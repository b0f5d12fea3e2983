import { ServiceError } from '../shared/errors.ts';
import { mayUse, type Permission } from '../shared/permissions.ts';
import { findOpenSession } from './authentication.repository.ts';
import type { Caller } from './caller.ts';
import type { Tx } from './database.ts';
import { readBy } from './read.ts';

/**
 * Looks again, within the transaction of a change that decides over others, whether the caller may make it: their own
 * role may have been taken while the request waited for its turn. Call it after the lock that such changes wait at.
 * Throws UNAUTHENTICATED, ACCOUNT_SUSPENDED, FORBIDDEN.
 */
export async function demandStillAuthorized(
  tx: Tx,
  { user }: Pick<Caller, 'user'>,
  permission: Permission,
  enterpriseForAll: boolean,
): Promise<void> {
  const session = user && (await findOpenSession(readBy(tx), user.sessionId, enterpriseForAll));
  if (!session) throw new ServiceError('UNAUTHENTICATED');
  if (session.status === 'SUSPENDED') throw new ServiceError('ACCOUNT_SUSPENDED');
  if (!mayUse(session.role, permission)) throw new ServiceError('FORBIDDEN');
}
