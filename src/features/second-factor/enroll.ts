import { returnTries } from '../../platform/attempt-budget.repository.ts';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { CurrentUser } from '../../platform/current-user.ts';
import { ServiceError } from '../../shared/errors.ts';
import { LIFETIMES } from '../../shared/lifetimes.ts';
import { deviceTokenFor } from '../accounts/device-token.ts';
import { holdAccount } from '../accounts/hold-account.ts';
import { revokeAccess } from '../accounts/revoke-access.ts';
import { DEFAULT_DESIGN } from '../qrcodes/image/design.rules.ts';
import { drawPng } from '../qrcodes/image/draw-png.ts';
import { matrixOf } from '../qrcodes/image/matrix.ts';
import { reserveTry, secretPlace } from './check-second-factor.ts';
import { proveIdentity } from './prove-identity.ts';
import { giveRecoveryCodes } from './recovery-codes.ts';
import { confirmSecondFactor, lockSecondFactor, startEnrollment } from './second-factor.repository.ts';
import type { SecondFactorServices } from './second-factor-services.ts';
import { enrollmentUri, newSecret, stepOfCode } from './totp.rules.ts';

/** A secret to take over into an authenticator application, shown once. */
export interface Enrollment {
  /** In base32, to be typed. */
  secret: string;
  otpauthUri: string;
  /** The same as a picture to scan. */
  qrCodeDataUrl: string;
  expiresAt: Date;
}

/**
 * Makes the secret of a second factor, which is asked for nowhere until its first code was entered; a new one takes
 * its place. Throws MFA_ALREADY_ENABLED, and what `proveIdentity` throws.
 */
export async function enroll(
  services: SecondFactorServices,
  caller: Caller,
  user: CurrentUser,
  password: string | undefined,
): Promise<Enrollment> {
  const { database, vault } = services;
  await proveIdentity(services, caller, user, password);
  const secret = newSecret();
  const otpauthUri = enrollmentUri(secret, user.email);
  const matrix = matrixOf(otpauthUri, 'M', false);
  const png = await drawPng(matrix, DEFAULT_DESIGN);
  const expiresAt = new Date(Date.now() + LIFETIMES.enrollment * 1000);
  await database.transaction(async (tx) => {
    const sealed = vault.seal(secretPlace(user.id), secret);
    const started = await startEnrollment(tx, { userId: user.id, secret: sealed, pendingUntil: expiresAt });
    if (!started) throw new ServiceError('MFA_ALREADY_ENABLED');
    await recordAction(tx, caller, { resourceId: user.id });
  });
  return { secret, otpauthUri, qrCodeDataUrl: `data:image/png;base64,${png.toString('base64')}`, expiresAt };
}

/**
 * Switches the second factor on by its first code, ends every other session, and answers the recovery codes, which
 * cannot be read again, and a token for this device, whose former one ends with the sessions. Throws MFA_CODE_INVALID, MFA_NOT_ENABLED, MFA_ALREADY_ENABLED, RATE_LIMITED.
 */
export async function confirmEnrollment(
  services: SecondFactorServices,
  caller: Caller,
  user: CurrentUser,
  code: string,
): Promise<{ recoveryCodes: string[]; deviceToken: string }> {
  const { database, vault, postOffice } = services;
  const confirmed = await database.transaction(async (tx) => {
    const factor = await lockSecondFactor(tx, user.id);
    await holdAccount(tx, user);
    if (factor?.isOn) throw new ServiceError('MFA_ALREADY_ENABLED');
    if (!factor?.isPending) throw new ServiceError('MFA_NOT_ENABLED');
    const budget = await reserveTry(vault, tx, factor);
    const step = stepOfCode(vault.open<string>(secretPlace(user.id), factor.secret), code);
    if (step === null || !(await confirmSecondFactor(tx, user.id, step))) {
      await recordAction(tx, caller, { action: 'MFA_REJECTED', outcome: 'DENIED', resourceId: user.id });
      return null;
    }
    await returnTries(tx, [budget]);
    const accessEpoch = await revokeAccess(tx, user.id, 'SECOND_FACTOR_CHANGED', user.sessionId);
    await postOffice.post(tx, { template: 'SECOND_FACTOR_ON', to: user.email, values: {} });
    await services.notifySecondFactor(tx, user.id, true);
    await recordAction(tx, caller, { resourceId: user.id });
    return {
      recoveryCodes: await giveRecoveryCodes(vault, tx, user.id),
      deviceToken: deviceTokenFor(vault, { id: user.id, accessEpoch }),
    };
  });
  if (!confirmed) throw new ServiceError('MFA_CODE_INVALID');
  postOffice.wake();
  return confirmed;
}
