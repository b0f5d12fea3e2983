import type { CurrentUser } from '../../../platform/current-user.ts';
import type { Tx } from '../../../platform/database.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { hasActiveApiKey } from '../api-keys/api-key.repository.ts';
import { lockOpenSession } from './session.repository.ts';
import { lockUser, type UserRow } from './user.repository.ts';

/** @throws UNAUTHENTICATED when the session was ended meanwhile */
export async function lockUserAndSession(
  tx: Tx,
  user: Pick<CurrentUser, 'id' | 'sessionId'>,
): Promise<UserRow> {
  const lockedUser = await lockUser(tx, user.id);
  if (!lockedUser || !(await lockOpenSession(tx, lockedUser.id, user.sessionId)))
    throw new ServiceError('UNAUTHENTICATED');
  return lockedUser;
}

/** @throws UNAUTHENTICATED when the session or the API key was ended meanwhile */
export async function lockUserAndCredential(
  tx: Tx,
  user: Pick<CurrentUser, 'id' | 'sessionId' | 'apiKey'>,
): Promise<void> {
  if (user.apiKey === null) {
    await lockUserAndSession(tx, user);
    return;
  }
  const lockedUser = await lockUser(tx, user.id);
  if (!lockedUser || !(await hasActiveApiKey(tx, lockedUser.id, user.apiKey.id)))
    throw new ServiceError('UNAUTHENTICATED');
}
