import { commitAuditEntry, recordAuditEntry } from '../../../platform/audit.ts';
import type { Db } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { requireValidEmail } from '../../../shared/email.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import type { AccountServices } from './account-services.ts';
import { deriveEmailLoginThrottleKeys } from './device-token.ts';
import { resetLoginFailures } from './login-delay.repository.ts';
import { consumeIpAddressMailQuota, tryConsumeResetMailQuota } from './mail-quota.ts';
import { findPasswordErrors } from './password.rules.ts';
import { consumePasswordReset, findPasswordReset } from './password-reset.repository.ts';
import {
  createPasswordResetLink,
  hashResetToken,
  PASSWORD_RESET_LINK_MINUTES,
} from './password-reset-link.ts';
import { revokeUserAccess } from './revoke-access.ts';
import { updatePasswordHash } from './user.repository.ts';

/**
 * Mail a link to set a new password, within the quota of mails. Runs the same statements whether or not the address has
 * an account, so that timing reveals nothing.
 * @throws VALIDATION_FAILED for no address, RATE_LIMITED
 */
export async function requestPasswordReset(
  services: AccountServices,
  context: RequestContext,
  address: string,
): Promise<void> {
  const { database, mailOutbox } = services;
  const email = requireValidEmail(address);
  await consumeIpAddressMailQuota(services, context);
  await database.transaction(async (tx) => {
    if (!(await tryConsumeResetMailQuota(services, tx, context, email))) return;
    const { link, userId } = await createPasswordResetLink(services, tx, email);
    await mailOutbox.enqueue(tx, {
      template: 'PASSWORD_RESET',
      to: email,
      values: { link, minutes: PASSWORD_RESET_LINK_MINUTES },
      isDiscarded: !userId,
    });
    await recordAuditEntry(tx, context, userId ? { resourceId: userId } : { outcome: 'DENIED' });
  });
  mailOutbox.wake();
}

/** Find what is wrong with a new password; the address that it must differ from is that of the token. */
export async function findResetPasswordErrors(
  db: Db,
  { token, password }: { token?: string; password?: string },
): Promise<FieldError[]> {
  if (password === undefined) return [];
  const reset = token === undefined ? null : await findPasswordReset(db, hashResetToken(token));
  return findPasswordErrors(password, reset?.email ?? '');
}

/** Set a new password by the token of a link, and end all sessions. @throws RESET_TOKEN_INVALID, BUSY */
export async function resetPassword(
  services: AccountServices,
  context: RequestContext,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const { database, passwords } = services;
  const tokenHash = hashResetToken(token);
  const resetWithHash = await passwords.runQueued(async (slot) => {
    const reset = await findPasswordReset(database.client, tokenHash);
    return reset && { ...reset, passwordHash: await slot.hash(password) };
  });
  if (resetWithHash && (await consumeReset(services, context, tokenHash, resetWithHash))) return;
  await commitAuditEntry(database, context, { action: 'PASSWORD_RESET_REJECTED', outcome: 'DENIED' });
  throw new ServiceError('RESET_TOKEN_INVALID');
}

/** False if the token was used meanwhile. */
async function consumeReset(
  { database, fieldCipher, events, mailOutbox }: AccountServices,
  context: RequestContext,
  tokenHash: Buffer,
  { userId, email, passwordHash }: { userId: string; email: string; passwordHash: string },
): Promise<boolean> {
  const isReset = await database.transaction(async (tx) => {
    if (!(await consumePasswordReset(tx, userId, tokenHash))) return false;
    await updatePasswordHash(tx, userId, passwordHash);
    await resetLoginFailures(tx, deriveEmailLoginThrottleKeys(fieldCipher, email, context.address));
    await revokeUserAccess(tx, userId, 'PASSWORD_RESET');
    await events.publish(tx, 'password.changed', { userId });
    await mailOutbox.enqueue(tx, { template: 'PASSWORD_RESET_DONE', to: email, values: {} });
    await recordAuditEntry(tx, context, { resourceId: userId, actorId: userId, changes: ['password'] });
    return true;
  });
  if (isReset) mailOutbox.wake();
  return isReset;
}
