import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { normalizeEmail } from '../../../shared/email.ts';
import { ServiceError, type ServiceErrorCode } from '../../../shared/errors.ts';
import type { AccountServices } from './account-services.ts';
import { completeFirstFactor, type LoginStepResult } from './complete-first-factor.ts';
import { deriveLoginThrottleKeys } from './device-token.ts';
import { consumeLoginAttempt, refundLoginAttempt, resetLoginFailures } from './login-delay.repository.ts';
import { isPasswordUnchanged } from './password-version.rules.ts';
import { findUserByEmail, lockUser, type UserRow, updatePasswordHash } from './user.repository.ts';

export interface LoginResult {
  user: UserRow;
  loginStep: LoginStepResult;
}

/**
 * Unknown address, unverified address, wrong password and missing password are indistinguishable in answer and
 * work.
 * @throws CREDENTIALS_INVALID, RATE_LIMITED, BUSY; ACCOUNT_SUSPENDED for the right password only
 */
export async function logIn(
  services: AccountServices,
  context: RequestContext,
  input: { email: string; password: string; deviceToken?: string | undefined },
): Promise<LoginResult> {
  const { database, fieldCipher, passwords } = services;
  // An invalid address has no account; its failures count under a separate key.
  const email = normalizeEmail(input.email) ?? `no address: ${input.email}`;
  const { keys, user, isPasswordCorrect, newHash } = await passwords.runQueued(async (slot) => {
    const user = await findUserByEmail(database.client, email);
    const keys = deriveLoginThrottleKeys(fieldCipher, email, user, {
      address: context.address,
      deviceToken: input.deviceToken,
    });
    await consumeLoginAttempt(services, keys);
    const storedHash = user?.passwordHash ?? null;
    const isPasswordCorrect = await slot.verify(input.password, storedHash);
    const isOld =
      isPasswordCorrect &&
      storedHash !== null &&
      passwords.needsRehash(storedHash) &&
      user?.status !== 'SUSPENDED';
    return { keys, user, isPasswordCorrect, newHash: isOld ? await slot.hash(input.password) : null };
  });
  const outcome = await database.transaction(async (tx): Promise<LoginResult | ServiceErrorCode> => {
    if (!user || !isPasswordCorrect) return recordLoginFailure(tx, context, 'CREDENTIALS_INVALID', user?.id);
    const lockedUser = await lockUser(tx, user.id);
    if (user.status === 'SUSPENDED' || lockedUser?.status === 'SUSPENDED') {
      await resetLoginFailures(tx, keys);
      return recordLoginFailure(tx, context, 'ACCOUNT_SUSPENDED', user.id);
    }
    if (!lockedUser || !isPasswordUnchanged(user, lockedUser))
      return recordLoginFailure(tx, context, 'CREDENTIALS_INVALID', user.id);
    const passwordHash = lockedUser.passwordHash === user.passwordHash ? newHash : null;
    if (passwordHash) await updatePasswordHash(tx, user.id, passwordHash);
    const loggedInUser = passwordHash ? { ...lockedUser, passwordHash } : lockedUser;
    const loginStep = await completeFirstFactor(services, context, tx, loggedInUser, {
      isKnownDevice: keys.isKnownDevice,
    });
    // Kept before the second factor: an attacker with the password could otherwise try codes without limit.
    await (loginStep.session ? resetLoginFailures(tx, keys) : refundLoginAttempt(tx, keys));
    return { user: loggedInUser, loginStep };
  });
  if (typeof outcome === 'string') throw new ServiceError(outcome);
  services.mailOutbox.wake();
  return outcome;
}

async function recordLoginFailure(
  tx: Tx,
  context: RequestContext,
  code: ServiceErrorCode,
  userId?: string,
): Promise<ServiceErrorCode> {
  await recordAuditEntry(tx, context, {
    action: 'LOGIN_FAILED',
    outcome: 'DENIED',
    storeFullAddress: true,
    ...(userId ? { resourceType: 'USER', resourceId: userId } : {}),
  });
  return code;
}
