import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { AccountServices } from './account-services.ts';
import { type Admission, admit } from './admit.ts';
import { loginKeys } from './device-token.ts';
import { normaliseEmail } from './email.rules.ts';
import { clearLoginDelay, reserveLogin, returnLogin } from './login-delay.repository.ts';
import { findLogin, setPassword, type UserRow } from './user.repository.ts';

export interface LoggedIn {
  user: UserRow;
  admission: Admission;
}

/**
 * Logs a person in, or as far as their second factor. An unknown address, a wrong password and an account without one are the same
 * CREDENTIALS_INVALID after the same work; EMAIL_NOT_VERIFIED and ACCOUNT_SUSPENDED need the right password, the
 * former that of any registration that waits. Throws BUSY before any work when too many log in at once.
 */
export async function logIn(
  services: AccountServices,
  caller: Caller,
  input: { email: string; password: string; deviceToken?: string | undefined },
): Promise<LoggedIn> {
  const { database, vault, passwords } = services;
  // What is no address has no account, and delays nobody but itself.
  const email = normaliseEmail(input.email) ?? `no address: ${input.email}`;
  const { keys, user, right, newHash } = await passwords.inTurn(async (turn) => {
    const keys = loginKeys(vault, email, input.deviceToken);
    await reserveLogin(database.client, keys);
    const found = await findLogin(database.client, email);
    const isRight = await turn.verify(input.password, found.passwords);
    const stored = found.user?.passwordHash;
    const isOld = isRight && stored && passwords.needsRehash(stored) && !refusalOf(found.user);
    return {
      keys,
      user: found.user,
      right: isRight,
      newHash: isOld ? await turn.hash(input.password) : null,
    };
  });
  if (!user || !right) {
    await database.transaction((tx) =>
      recordAction(tx, caller, {
        action: 'LOGIN_FAILED',
        outcome: 'DENIED',
        wholeAddress: true,
        ...(user ? { resourceType: 'USER', resourceId: user.id } : {}),
      }),
    );
    throw new ServiceError('CREDENTIALS_INVALID');
  }
  const refusal = refusalOf(user);
  if (refusal) {
    await database.transaction(async (tx) => {
      await clearLoginDelay(tx, keys);
      await recordAction(tx, caller, {
        action: 'LOGIN_FAILED',
        outcome: 'DENIED',
        wholeAddress: true,
        resourceType: 'USER',
        resourceId: user.id,
      });
    });
    throw new ServiceError(refusal);
  }

  const admission = await database.transaction(async (tx) => {
    if (newHash) await setPassword(tx, user.id, newHash);
    const known = { ...user, passwordHash: newHash ?? user.passwordHash };
    const admission = await admit(services, caller, tx, known, keys.isKnownDevice);
    // Half a log-in makes no failure forgotten: whoever has the password alone would try codes without end.
    await (admission.session ? clearLoginDelay(tx, keys) : returnLogin(tx, keys));
    return admission;
  });
  services.postOffice.wake();
  return { user, admission };
}

function refusalOf(user: UserRow | null): 'EMAIL_NOT_VERIFIED' | 'ACCOUNT_SUSPENDED' | null {
  if (user?.status === 'PENDING_VERIFICATION') return 'EMAIL_NOT_VERIFIED';
  return user?.status === 'SUSPENDED' ? 'ACCOUNT_SUSPENDED' : null;
}
