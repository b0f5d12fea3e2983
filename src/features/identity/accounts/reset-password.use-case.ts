import { recordAuditEntry } from '../../../platform/audit.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import type { AccountServices } from './account-services.ts';
import { deriveEmailLoginThrottleKeys } from './device-token.ts';
import { resetLoginFailures } from './login-delay.repository.ts';
import { tryConsumeResetMailQuota } from './mail-quota.ts';
import { consumePasswordReset } from './password-reset.repository.ts';
import { createPasswordResetLink, PASSWORD_RESET_LINK_MINUTES } from './password-reset-link.ts';
import { revokeUserAccess } from './revoke-access.ts';
import { updatePasswordHash } from './user.repository.ts';

/**
 * Mail a link to set a new password, within the quota of mails. Runs the same statements whether or not the address has
 * an account, so that timing reveals nothing.
 */
export async function requestPasswordReset(
  services: AccountServices,
  context: RequestContext,
  email: string,
): Promise<void> {
  const { database, mailOutbox } = services;
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

/** Set a new password by the token of a link, and end all sessions. False if the token was used meanwhile. */
export async function resetPassword(
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
