import { recordAuditEntry } from '../../../platform/audit.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { createDeviceToken } from '../accounts/device-token.ts';
import { lockUserAndSession } from '../accounts/lock-user-and-session.ts';
import { renewSessionCookie } from '../accounts/renew-session-cookie.ts';
import type { RenewedAccess } from '../accounts/renewed-access.ts';
import { requireRecentLogin } from '../accounts/require-recent-login.ts';
import { revokeUserAccess } from '../accounts/revoke-access.ts';
import { consumeSecondFactorProof, type SecondFactorProof } from './consume-second-factor-proof.ts';
import { issueRecoveryCodes } from './issue-recovery-codes.ts';
import { requireReauthentication } from './require-reauthentication.ts';
import { deleteSecondFactor, lockSecondFactor } from './second-factor.repository.ts';
import type { SecondFactorServices } from './second-factor-services.ts';

/**
 * End all other sessions and return a new device token; that of a page gets a new cookie.
 * @throws MFA_NOT_ENABLED, MFA_CODE_INVALID, RATE_LIMITED, and as `requireReauthentication`
 */
export async function disableSecondFactor(
  services: SecondFactorServices,
  context: RequestContext,
  user: CurrentUser,
  input: { password: string | undefined; proof: SecondFactorProof },
): Promise<RenewedAccess> {
  await requireReauthentication(services, context, user, input.password);
  return runWithSecondFactor(services, context, user, input.proof, async (tx) => {
    await deleteSecondFactor(tx, user.id);
    const accessEpoch = await revokeUserAccess(tx, user.id, 'SECOND_FACTOR_CHANGED', user.sessionId);
    await services.mailOutbox.enqueue(tx, { template: 'SECOND_FACTOR_OFF', to: user.email, values: {} });
    await services.events.publish(tx, 'second_factor.disabled', { userId: user.id });
    await recordAuditEntry(tx, context, { resourceId: user.id });
    return {
      deviceToken: createDeviceToken(services.fieldCipher, { id: user.id, accessEpoch }),
      sessionCookie: await renewSessionCookie(services.fieldCipher, context, tx, user),
    };
  });
}

/** @throws REAUTHENTICATION_REQUIRED, MFA_NOT_ENABLED, MFA_CODE_INVALID, RATE_LIMITED */
export async function renewRecoveryCodes(
  services: SecondFactorServices,
  context: RequestContext,
  user: CurrentUser,
  proof: SecondFactorProof,
): Promise<string[]> {
  await requireRecentLogin(services.database.client, user);
  return runWithSecondFactor(services, context, user, proof, async (tx) => {
    const codes = await issueRecoveryCodes(services.fieldCipher, tx, user.id);
    await services.mailOutbox.enqueue(tx, { template: 'RECOVERY_CODES_RENEWED', to: user.email, values: {} });
    await recordAuditEntry(tx, context, { resourceId: user.id });
    return codes;
  });
}

async function runWithSecondFactor<Result>(
  { database, fieldCipher, mailOutbox }: SecondFactorServices,
  context: RequestContext,
  user: CurrentUser,
  proof: SecondFactorProof,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const outcome = await database.transaction(async (tx) => {
    const factor = await lockSecondFactor(tx, user.id);
    await lockUserAndSession(tx, user);
    if (!factor?.isOn) throw new ServiceError('MFA_NOT_ENABLED');
    const origin = { address: context.address, knownDeviceKey: null };
    if (await consumeSecondFactorProof(fieldCipher, tx, factor, proof, origin))
      return { result: await work(tx) };
    await recordAuditEntry(tx, context, { action: 'MFA_REJECTED', outcome: 'DENIED', resourceId: user.id });
    return null;
  });
  if (!outcome) throw new ServiceError('MFA_CODE_INVALID');
  mailOutbox.wake();
  return outcome.result;
}
