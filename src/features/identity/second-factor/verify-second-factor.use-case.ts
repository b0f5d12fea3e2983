import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { timingSafeEquals } from '../../../shared/crypto/keyed-hash.ts';
import { ServiceError, type ServiceErrorCode } from '../../../shared/errors.ts';
import type { AccountServices } from '../accounts/account-services.ts';
import { completeLogin } from '../accounts/complete-login.ts';
import type { CreatedSession } from '../accounts/create-session.ts';
import { deriveLoginThrottleKeys } from '../accounts/device-token.ts';
import { resetLoginFailures } from '../accounts/login-delay.repository.ts';
import { lockUser, type UserRow } from '../accounts/user.repository.ts';
import { confirmLinkedIdentity } from '../sign-in/confirm-identity.ts';
import { consumeSecondFactorProof, type SecondFactorProof } from './consume-second-factor-proof.ts';
import { consumePendingLogin, findPendingLogin, type PendingLoginRow } from './pending-login.repository.ts';
import { computeLoginFingerprint, hashPendingLoginToken } from './pending-login.ts';
import { countUnusedRecoveryCodes } from './recovery-code.repository.ts';
import { lockSecondFactor } from './second-factor.repository.ts';

export interface SecondFactorLoginResult {
  user: UserRow;
  session: CreatedSession;
}

interface SecondFactorLoginInput {
  mfaToken: string;
  proof: SecondFactorProof;
  deviceToken?: string | undefined;
}

/** @throws MFA_TOKEN_INVALID, MFA_CODE_INVALID (the token stays valid), ACCOUNT_SUSPENDED, RATE_LIMITED */
export async function completeSecondFactor(
  services: AccountServices,
  context: RequestContext,
  input: SecondFactorLoginInput,
): Promise<SecondFactorLoginResult> {
  const { database, fieldCipher, mailOutbox } = services;
  const tokenHash = hashPendingLoginToken(fieldCipher, input.mfaToken);
  const outcome = await database.transaction(
    async (tx): Promise<SecondFactorLoginResult | ServiceErrorCode> => {
      const pending = await findPendingLogin(tx, tokenHash);
      const lockedFactor = pending && (await lockPendingFactor(services, tx, pending));
      if (!pending || !lockedFactor) return recordSecondFactorFailure(tx, context, 'MFA_TOKEN_INVALID');
      const { user, factor } = lockedFactor;
      if (user.status === 'SUSPENDED')
        return recordSecondFactorFailure(tx, context, 'ACCOUNT_SUSPENDED', user.id);
      const keys = deriveLoginThrottleKeys(fieldCipher, user.email, user, {
        address: context.address,
        deviceToken: input.deviceToken,
      });
      const origin = { address: context.address, knownDeviceKey: keys.isKnownDevice ? keys.delayKey : null };
      if (!(await consumeSecondFactorProof(fieldCipher, tx, factor, input.proof, origin)))
        return recordSecondFactorFailure(tx, context, 'MFA_CODE_INVALID', user.id);
      // Of two parallel calls the second finds the login consumed.
      if (!(await consumePendingLogin(tx, tokenHash))) throw new ServiceError('MFA_TOKEN_INVALID');
      await resetLoginFailures(tx, keys);
      if (pending.identityId) await confirmLinkedIdentity(services, context, tx, pending.identityId, user.id);
      const isRecovery = 'recoveryCode' in input.proof;
      const session = await completeLogin(services, context, tx, user, {
        isKnownDevice: keys.isKnownDevice,
        action: isRecovery ? 'RECOVERY_CODE_USED' : 'MFA_VERIFIED',
      });
      if (isRecovery) {
        const codesLeft = await countUnusedRecoveryCodes(tx, user.id);
        await mailOutbox.enqueue(tx, {
          template: 'RECOVERY_CODE_USED',
          to: user.email,
          values: { left: codesLeft },
        });
      }
      return { user, session };
    },
  );
  if (typeof outcome === 'string') throw new ServiceError(outcome);
  mailOutbox.wake();
  return outcome;
}

/** Null when the password changed, or all sessions ended, since the first step. */
async function lockPendingFactor({ fieldCipher }: AccountServices, tx: Tx, pending: PendingLoginRow) {
  const factor = await lockSecondFactor(tx, pending.userId);
  // A password change ends the sessions it finds: the new session must exist before it, or not be created.
  const user = await lockUser(tx, pending.userId);
  if (!factor?.isOn || !user) return null;
  return timingSafeEquals(computeLoginFingerprint(fieldCipher, user), pending.loginFingerprint)
    ? { user, factor }
    : null;
}

async function recordSecondFactorFailure(
  tx: Tx,
  context: RequestContext,
  code: ServiceErrorCode,
  userId?: string,
): Promise<ServiceErrorCode> {
  await recordAuditEntry(tx, context, {
    action: 'MFA_REJECTED',
    outcome: 'DENIED',
    resourceType: 'USER',
    storeFullAddress: true,
    ...(userId ? { resourceId: userId } : {}),
  });
  return code;
}
