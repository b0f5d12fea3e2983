import { recordAction } from '../../platform/audit.ts';
import type { CurrentUser } from '../../platform/authentication.ts';
import type { Caller } from '../../platform/caller.ts';
import { invalidFields, ServiceError } from '../../shared/errors.ts';
import { LIFETIMES } from '../../shared/lifetimes.ts';
import { sessionKeys } from '../accounts/device-token.ts';
import { clearLoginDelay, reserveLogin } from '../accounts/login-delay.repository.ts';
import { findUser } from '../accounts/user.repository.ts';
import type { PersonalDataServices } from './personal-data-services.ts';
import { sessionStartedAt } from './session-age.repository.ts';

type Services = Pick<PersonalDataServices, 'database' | 'vault' | 'passwords'>;

/**
 * Makes sure that it is the person themselves: by their password, or, where the account has none, by a log-in of the
 * last 15 minutes. Wrong passwords delay as failed log-ins do. Answers the stored hash that was right, null without one.
 * Throws VALIDATION_FAILED without the password, CREDENTIALS_INVALID, RATE_LIMITED, FRESH_LOGIN_REQUIRED.
 */
export async function proveByPassword(
  services: Services,
  caller: Caller,
  user: CurrentUser,
  password: string | undefined,
): Promise<string | null> {
  const { database, vault, passwords } = services;
  const stored = (await findUser(database.client, user.id))?.passwordHash ?? null;
  if (stored === null) {
    await proveByFreshLogin(services, caller, user);
    return null;
  }
  if (password === undefined) {
    const message = 'Needed: the current password.';
    throw invalidFields({ field: 'password', code: 'REQUIRED', message });
  }
  const keys = sessionKeys(vault, user);
  const right = await passwords.inTurn(async (turn) => {
    await reserveLogin(database.client, keys);
    return turn.verify(password, stored);
  });
  if (!right) {
    await reject(services, caller, user);
    throw new ServiceError('CREDENTIALS_INVALID', { detail: 'The password is wrong.' });
  }
  await database.transaction((tx) => clearLoginDelay(tx, keys));
  return stored;
}

/** Makes sure that the session began with a log-in of the last 15 minutes. Throws FRESH_LOGIN_REQUIRED. */
export async function proveByFreshLogin(
  services: Pick<Services, 'database'>,
  caller: Caller,
  user: CurrentUser,
): Promise<void> {
  const startedAt = await sessionStartedAt(services.database.client, user.sessionId);
  const oldest = Date.now() - LIFETIMES.freshLogin * 1000;
  if (startedAt && startedAt.getTime() > oldest) return;
  await reject(services, caller, user);
  throw new ServiceError('FRESH_LOGIN_REQUIRED');
}

function reject({ database }: Pick<Services, 'database'>, caller: Caller, user: CurrentUser): Promise<void> {
  return database.transaction((tx) =>
    recordAction(tx, caller, { action: 'IDENTITY_PROOF_REJECTED', outcome: 'DENIED', resourceId: user.id }),
  );
}
