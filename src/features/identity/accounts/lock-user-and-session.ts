import type { CurrentUser } from '../../../platform/current-user.ts';
import type { Tx } from '../../../platform/database.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { lockActiveApiKey } from '../api-keys/api-key.repository.ts';
import { lockOpenSession } from './session.repository.ts';
import { lockUser, type UserRow } from './user.repository.ts';

/** @throws UNAUTHENTICATED when the session or the API key was ended meanwhile */
export async function lockUserAndSession(
  tx: Tx,
  user: Pick<CurrentUser, 'id' | 'sessionId' | 'apiKey'>,
): Promise<UserRow> {
  const lockedUser = await lockUser(tx, user.id);
  const lockCredential = user.apiKey ? lockActiveApiKey : lockOpenSession;
  if (!lockedUser || !(await lockCredential(tx, lockedUser.id, user.sessionId)))
    throw new ServiceError('UNAUTHENTICATED');
  return lockedUser;
}
