import type { CurrentUser } from '../../platform/current-user.ts';
import type { Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { holdSession } from './session.repository.ts';
import { lockUser, type UserRow } from './user.repository.ts';

/**
 * Locks the person behind a request and keeps their session open until this transaction ends, for what changes how
 * the account is opened: whoever holds a session that was ended meanwhile changes nothing. Throws UNAUTHENTICATED.
 */
export async function holdAccount(tx: Tx, user: Pick<CurrentUser, 'id' | 'sessionId'>): Promise<UserRow> {
  const person = await lockUser(tx, user.id);
  if (!person || !(await holdSession(tx, person.id, user.sessionId)))
    throw new ServiceError('UNAUTHENTICATED');
  return person;
}
