import type { CurrentUser } from '../../../platform/current-user.ts';
import type { Tx } from '../../../platform/database.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { lockOpenSession } from './session.repository.ts';
import { lockUser, type UserRow } from './user.repository.ts';

/**
 * Locks the person behind a request and keeps their session open until this transaction ends, for what changes how
 * the account is opened: whoever holds a session that was ended meanwhile changes nothing. Throws UNAUTHENTICATED.
 */
export async function lockUserAndSession(
  tx: Tx,
  user: Pick<CurrentUser, 'id' | 'sessionId'>,
): Promise<UserRow> {
  const lockedUser = await lockUser(tx, user.id);
  if (!lockedUser || !(await lockOpenSession(tx, lockedUser.id, user.sessionId)))
    throw new ServiceError('UNAUTHENTICATED');
  return lockedUser;
}
