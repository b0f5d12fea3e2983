import { recordAuditEntry } from '../../../platform/audit.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import type { AccountServices } from './account-services.ts';
import { createDeviceToken, deriveSessionLoginThrottleKeys } from './device-token.ts';
import { lockUserAndSession } from './lock-user-and-session.ts';
import { consumeLoginAttempt, resetLoginFailures } from './login-delay.repository.ts';
import { findPasswordErrors } from './password.rules.ts';
import { isPasswordUnchanged } from './password-version.rules.ts';
import { renewSessionCookie } from './renew-session-cookie.ts';
import type { RenewedAccess } from './renewed-access.ts';
import { revokeUserAccess } from './revoke-access.ts';
import { findUser, updatePasswordHash } from './user.repository.ts';

/**
 * End all other sessions and return a new device token; that of a page gets a new cookie.
 * @throws RATE_LIMITED, BUSY, CREDENTIALS_INVALID (also when the password was changed
 * meanwhile), UNAUTHENTICATED when the session was ended meanwhile
 */
export async function changePassword(
  services: AccountServices,
  context: RequestContext,
  user: CurrentUser,
  input: { currentPassword: string; newPassword: string },
): Promise<RenewedAccess> {
  const { database, passwords, mailOutbox, fieldCipher } = services;
  const { id, email, sessionId } = user;
  const keys = deriveSessionLoginThrottleKeys(fieldCipher, user);
  const { compared: comparedUser, newHash } = await passwords.runQueued(async (slot) => {
    await consumeLoginAttempt(services, keys);
    const comparedUser = await findUser(database.client, id);
    const isCorrect = await slot.verify(input.currentPassword, comparedUser?.passwordHash ?? null);
    return { compared: comparedUser, newHash: isCorrect ? await slot.hash(input.newPassword) : null };
  });
  const renewed = await database.transaction(async (tx) => {
    const lockedUser = await lockUserAndSession(tx, user);
    if (!comparedUser || !newHash || !isPasswordUnchanged(comparedUser, lockedUser))
      return recordPasswordChangeRejected(tx, context, id);
    await updatePasswordHash(tx, id, newHash);
    await resetLoginFailures(tx, keys);
    const accessEpoch = await revokeUserAccess(tx, id, 'PASSWORD_CHANGED', sessionId);
    await services.events.publish(tx, 'password.changed', { userId: id });
    await mailOutbox.enqueue(tx, { template: 'PASSWORD_CHANGED', to: email, values: {} });
    await recordAuditEntry(tx, context, { resourceId: id, changes: ['password'] });
    return {
      deviceToken: createDeviceToken(fieldCipher, { id, accessEpoch }),
      sessionCookie: await renewSessionCookie(fieldCipher, context, tx, user),
    };
  });
  if (!renewed) throw new ServiceError('CREDENTIALS_INVALID', { detail: 'The current password is wrong.' });
  mailOutbox.wake();
  return renewed;
}

export async function findNewPasswordErrors(newPassword: string, email: string): Promise<FieldError[]> {
  const problems = await findPasswordErrors(newPassword, email);
  return problems.map((problem) => ({ ...problem, field: 'newPassword' }));
}

async function recordPasswordChangeRejected(
  tx: Tx,
  context: RequestContext,
  resourceId: string,
): Promise<null> {
  await recordAuditEntry(tx, context, { action: 'PASSWORD_CHANGE_REJECTED', outcome: 'DENIED', resourceId });
  return null;
}
