import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { sameBytes } from '../../shared/crypto/keyed-hash.ts';
import { type ErrorCode, ServiceError } from '../../shared/errors.ts';
import type { AccountServices } from '../accounts/account-services.ts';
import { loginKeys } from '../accounts/device-token.ts';
import { letIn } from '../accounts/let-in.ts';
import { clearLoginDelay } from '../accounts/login-delay.repository.ts';
import type { OpenedSession } from '../accounts/open-session.ts';
import { lockUser, type UserRow } from '../accounts/user.repository.ts';
import { checkSecondFactor, type SecondFactorProof } from './check-second-factor.ts';
import { findPendingLogin, type PendingLoginRow, takePendingLogin } from './pending-login.repository.ts';
import { passwordState, pendingLoginHash } from './pending-login.ts';
import { countRecoveryCodes } from './recovery-code.repository.ts';
import { lockSecondFactor } from './second-factor.repository.ts';

interface LoggedIn {
  user: UserRow;
  session: OpenedSession;
}

interface Given {
  mfaToken: string;
  proof: SecondFactorProof;
  deviceToken?: string | undefined;
}

/**
 * Ends a log-in by its second factor. Throws MFA_TOKEN_INVALID, MFA_CODE_INVALID (the token then stays good),
 * ACCOUNT_SUSPENDED, RATE_LIMITED.
 */
export async function verifySecondFactor(
  services: AccountServices,
  caller: Caller,
  given: Given,
): Promise<LoggedIn> {
  const { database, vault, postOffice } = services;
  const tokenHash = pendingLoginHash(vault, given.mfaToken);
  const outcome = await database.transaction(async (tx): Promise<LoggedIn | ErrorCode> => {
    const pending = await findPendingLogin(tx, tokenHash);
    const found = pending && (await factorOf(services, tx, pending));
    if (!pending || !found) return denied(tx, caller, 'MFA_TOKEN_INVALID');
    const { user, factor } = found;
    if (user.status === 'SUSPENDED') return denied(tx, caller, 'ACCOUNT_SUSPENDED', user.id);
    const keys = loginKeys(vault, user.email, user, given.deviceToken);
    const from = { address: caller.address, knownDevice: keys.isKnownDevice ? keys.delay : null };
    if (!(await checkSecondFactor(vault, tx, factor, given.proof, from)))
      return denied(tx, caller, 'MFA_CODE_INVALID', user.id);
    // Of two that wait for the lock with two codes the second finds its log-in used.
    if (!(await takePendingLogin(tx, tokenHash))) throw new ServiceError('MFA_TOKEN_INVALID');
    await clearLoginDelay(tx, keys);
    const isRecovery = 'recoveryCode' in given.proof;
    const session = await letIn(services, caller, tx, user, {
      isKnownDevice: keys.isKnownDevice,
      action: isRecovery ? 'RECOVERY_CODE_USED' : 'MFA_VERIFIED',
    });
    if (isRecovery) {
      const left = await countRecoveryCodes(tx, user.id);
      await postOffice.post(tx, { template: 'RECOVERY_CODE_USED', to: user.email, values: { left } });
    }
    return { user, session };
  });
  if (typeof outcome === 'string') throw new ServiceError(outcome);
  postOffice.wake();
  return outcome;
}

/** The person and their locked second factor, while the password is still the one of the first step. */
async function factorOf({ vault }: AccountServices, tx: Tx, pending: PendingLoginRow) {
  const factor = await lockSecondFactor(tx, pending.userId);
  // A password that is replaced at this moment ends the sessions that it finds: this one must be among them, or not be.
  const user = await lockUser(tx, pending.userId);
  if (!factor?.isOn || !user) return null;
  return sameBytes(passwordState(vault, user), pending.passwordState) ? { user, factor } : null;
}

async function denied(tx: Tx, caller: Caller, code: ErrorCode, userId?: string): Promise<ErrorCode> {
  await recordAction(tx, caller, {
    action: 'MFA_REJECTED',
    outcome: 'DENIED',
    resourceType: 'USER',
    wholeAddress: true,
    ...(userId ? { resourceId: userId } : {}),
  });
  return code;
}
