import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { type ErrorCode, ServiceError } from '../../shared/errors.ts';
import { isSamePassword } from './access-epoch.rules.ts';
import type { AccountServices } from './account-services.ts';
import { type Admission, admit } from './admit.ts';
import { loginKeys } from './device-token.ts';
import { normaliseEmail } from './email.rules.ts';
import { clearLoginDelay, reserveLogin, returnLogin } from './login-delay.repository.ts';
import { findLogin, lockUser, setPassword, type UserRow } from './user.repository.ts';

export interface LoggedIn {
  user: UserRow;
  admission: Admission;
}

/**
 * Logs a person in, or as far as their second factor. An unknown address, a wrong password and an account without one are the same
 * CREDENTIALS_INVALID after the same work; EMAIL_NOT_VERIFIED and ACCOUNT_SUSPENDED need the right password, the
 * former that of any registration that waits. What changed while the password was compared counts. Throws BUSY before any work when too many log in at once.
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
    const found = await findLogin(database.client, email);
    const keys = loginKeys(vault, email, found.user, input.deviceToken);
    await reserveLogin(database.client, keys);
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
  const outcome = await database.transaction(async (tx): Promise<LoggedIn | ErrorCode> => {
    if (!user || !right) return denied(tx, caller, 'CREDENTIALS_INVALID', user?.id);
    const now = await lockUser(tx, user.id);
    const refusal = refusalOf(user) ?? refusalOf(now);
    if (refusal) {
      await clearLoginDelay(tx, keys);
      return denied(tx, caller, refusal, user.id);
    }
    if (!now || !isSamePassword(user, now)) return denied(tx, caller, 'CREDENTIALS_INVALID', user.id);
    const passwordHash = now.passwordHash === user.passwordHash ? newHash : null;
    if (passwordHash) await setPassword(tx, user.id, passwordHash);
    const person = passwordHash ? { ...now, passwordHash } : now;
    const admission = await admit(services, caller, tx, person, keys.isKnownDevice);
    // Half a log-in makes no failure forgotten: whoever has the password alone would try codes without end.
    await (admission.session ? clearLoginDelay(tx, keys) : returnLogin(tx, keys));
    return { user: person, admission };
  });
  if (typeof outcome === 'string') throw new ServiceError(outcome);
  services.postOffice.wake();
  return outcome;
}

async function denied(tx: Tx, caller: Caller, code: ErrorCode, userId?: string): Promise<ErrorCode> {
  await recordAction(tx, caller, {
    action: 'LOGIN_FAILED',
    outcome: 'DENIED',
    wholeAddress: true,
    ...(userId ? { resourceType: 'USER', resourceId: userId } : {}),
  });
  return code;
}

function refusalOf(user: UserRow | null): 'EMAIL_NOT_VERIFIED' | 'ACCOUNT_SUSPENDED' | null {
  if (user?.status === 'PENDING_VERIFICATION') return 'EMAIL_NOT_VERIFIED';
  return user?.status === 'SUSPENDED' ? 'ACCOUNT_SUSPENDED' : null;
}
