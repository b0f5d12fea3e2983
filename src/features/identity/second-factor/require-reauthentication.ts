import { recordAuditEntry } from '../../../platform/audit.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { deriveSessionLoginThrottleKeys } from '../accounts/device-token.ts';
import { consumeLoginAttempt, refundLoginAttempt } from '../accounts/login-delay.repository.ts';
import { requireRecentLogin } from '../accounts/require-recent-login.ts';
import { findUser } from '../accounts/user.repository.ts';
import type { SecondFactorServices } from './second-factor-services.ts';

/**
 * Without a password, accept a recent login.
 * @throws CREDENTIALS_INVALID, REAUTHENTICATION_REQUIRED, RATE_LIMITED, BUSY
 */
export async function requireReauthentication(
  services: SecondFactorServices,
  context: RequestContext,
  user: CurrentUser,
  password: string | undefined,
): Promise<void> {
  const { database, fieldCipher, passwords } = services;
  const keys = deriveSessionLoginThrottleKeys(fieldCipher, user);
  const isCorrect = await passwords.runQueued(async (slot) => {
    const passwordHash = (await findUser(database.client, user.id))?.passwordHash;
    if (!passwordHash) return null;
    await consumeLoginAttempt(services, keys);
    return slot.verify(password ?? '', passwordHash);
  });
  if (isCorrect === true) return database.transaction((tx) => refundLoginAttempt(tx, keys));
  if (isCorrect === null) return requireRecentLogin(database.client, user);
  await database.transaction((tx) =>
    recordAuditEntry(tx, context, { action: 'MFA_REJECTED', outcome: 'DENIED', resourceId: user.id }),
  );
  throw new ServiceError('CREDENTIALS_INVALID', { detail: 'The current password is wrong.' });
}
