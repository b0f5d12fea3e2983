import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { CurrentUser } from '../../platform/current-user.ts';
import { ServiceError } from '../../shared/errors.ts';
import { sessionKeys } from '../accounts/device-token.ts';
import { reserveLogin, returnLogin } from '../accounts/login-delay.repository.ts';
import { isFreshSession } from '../accounts/session.repository.ts';
import { findUser } from '../accounts/user.repository.ts';
import type { SecondFactorServices } from './second-factor-services.ts';

/**
 * Has a person show that the open session is theirs: by the current password, or, where they have none, by a
 * log-in of a moment ago. Throws CREDENTIALS_INVALID, REAUTHENTICATION_REQUIRED, RATE_LIMITED and BUSY.
 */
export async function proveIdentity(
  services: SecondFactorServices,
  caller: Caller,
  user: CurrentUser,
  password: string | undefined,
): Promise<void> {
  const { database, vault, passwords } = services;
  const keys = sessionKeys(vault, user);
  const right = await passwords.inTurn(async (turn) => {
    const stored = (await findUser(database.client, user.id))?.passwordHash;
    if (!stored) return null;
    await reserveLogin(database.client, keys);
    return turn.verify(password ?? '', stored);
  });
  if (right === true) return database.transaction((tx) => returnLogin(tx, keys));
  if (right === null) {
    if (await isFreshSession(database.client, user.sessionId)) return;
    throw new ServiceError('REAUTHENTICATION_REQUIRED');
  }
  await database.transaction((tx) =>
    recordAction(tx, caller, { action: 'MFA_REJECTED', outcome: 'DENIED', resourceId: user.id }),
  );
  throw new ServiceError('CREDENTIALS_INVALID', { detail: 'The current password is wrong.' });
}
