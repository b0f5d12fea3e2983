import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { CurrentUser } from '../../platform/current-user.ts';
import type { Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { deviceTokenFor } from '../accounts/device-token.ts';
import { holdAccount } from '../accounts/hold-account.ts';
import { revokeAccess } from '../accounts/revoke-access.ts';
import { checkSecondFactor, type SecondFactorProof } from './check-second-factor.ts';
import { proveIdentity } from './prove-identity.ts';
import { giveRecoveryCodes } from './recovery-codes.ts';
import { deleteSecondFactor, lockSecondFactor } from './second-factor.repository.ts';
import type { SecondFactorServices } from './second-factor-services.ts';

/**
 * Switches the second factor off, by password and code, and ends every other session. Answers a token for this device,
 * whose former one ends with them. Throws MFA_NOT_ENABLED, MFA_CODE_INVALID, RATE_LIMITED, and what `proveIdentity`
 * throws.
 */
export async function disable(
  services: SecondFactorServices,
  caller: Caller,
  user: CurrentUser,
  given: { password: string | undefined; proof: SecondFactorProof },
): Promise<string> {
  await proveIdentity(services, caller, user, given.password);
  return withSecondFactor(services, caller, user, given.proof, async (tx) => {
    await deleteSecondFactor(tx, user.id);
    const accessEpoch = await revokeAccess(tx, user.id, 'SECOND_FACTOR_CHANGED', user.sessionId);
    await services.postOffice.post(tx, { template: 'SECOND_FACTOR_OFF', to: user.email, values: {} });
    await services.notifySecondFactor(tx, user.id, false);
    await recordAction(tx, caller, { resourceId: user.id });
    return deviceTokenFor(services.vault, { id: user.id, accessEpoch });
  });
}

/** Replaces the recovery codes, and answers the new ones. Throws MFA_NOT_ENABLED, MFA_CODE_INVALID, RATE_LIMITED. */
export async function renewRecoveryCodes(
  services: SecondFactorServices,
  caller: Caller,
  user: CurrentUser,
  proof: SecondFactorProof,
): Promise<string[]> {
  return withSecondFactor(services, caller, user, proof, async (tx) => {
    const codes = await giveRecoveryCodes(services.vault, tx, user.id);
    await services.postOffice.post(tx, { template: 'RECOVERY_CODES_RENEWED', to: user.email, values: {} });
    await recordAction(tx, caller, { resourceId: user.id });
    return codes;
  });
}

/** Does something in the transaction in which a code of the person's second factor turned out to be right. */
async function withSecondFactor<Result>(
  { database, vault, postOffice }: SecondFactorServices,
  caller: Caller,
  user: CurrentUser,
  proof: SecondFactorProof,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const done = await database.transaction(async (tx) => {
    const factor = await lockSecondFactor(tx, user.id);
    await holdAccount(tx, user);
    if (!factor?.isOn) throw new ServiceError('MFA_NOT_ENABLED');
    const from = { address: caller.address, knownDevice: null };
    if (await checkSecondFactor(vault, tx, factor, proof, from)) return { result: await work(tx) };
    await recordAction(tx, caller, { action: 'MFA_REJECTED', outcome: 'DENIED', resourceId: user.id });
    return null;
  });
  if (!done) throw new ServiceError('MFA_CODE_INVALID');
  postOffice.wake();
  return done.result;
}
