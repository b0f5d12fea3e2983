import { refundAttempts } from '../../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import { DEFAULT_QR_CODE_DESIGN } from '../../../platform/qr-image/design.rules.ts';
import { drawQrCodePng } from '../../../platform/qr-image/draw-png.ts';
import { createQrSymbolMatrix } from '../../../platform/qr-image/matrix.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import { createDeviceToken } from '../accounts/device-token.ts';
import { lockUserAndSession } from '../accounts/lock-user-and-session.ts';
import { renewSessionCookie } from '../accounts/renew-session-cookie.ts';
import type { RenewedAccess } from '../accounts/renewed-access.ts';
import { revokeUserAccess } from '../accounts/revoke-access.ts';
import { consumeEnrollmentAttempt, TOTP_SECRET } from './consume-second-factor-proof.ts';
import { issueRecoveryCodes } from './issue-recovery-codes.ts';
import { requireReauthentication } from './require-reauthentication.ts';
import {
  lockSecondFactor,
  markSecondFactorConfirmed,
  upsertSecondFactorEnrollment,
} from './second-factor.repository.ts';
import type { SecondFactorServices } from './second-factor-services.ts';
import { createOtpauthUri, findTotpStep, generateTotpSecret } from './totp.rules.ts';

export interface SecondFactorEnrollment {
  secret: string;
  otpauthUri: string;
  qrCodeDataUrl: string;
  expiresAt: Date;
}

/** Inactive until its first code. @throws MFA_ALREADY_ENABLED, and as `requireReauthentication` */
export async function startSecondFactorEnrollment(
  services: SecondFactorServices,
  context: RequestContext,
  user: CurrentUser,
  password: string | undefined,
): Promise<SecondFactorEnrollment> {
  const { database, fieldCipher } = services;
  await requireReauthentication(services, context, user, password);
  const secret = generateTotpSecret();
  const { otpauthUri, qrCodeDataUrl } = await drawSecondFactorQrCode(secret, user.email);
  const expiresAt = new Date(Date.now() + LIFETIMES_SECONDS.enrollment * 1000);
  await database.transaction(async (tx) => {
    const encryptedSecret = TOTP_SECRET.encrypt(fieldCipher, { userId: user.id }, secret);
    const started = await upsertSecondFactorEnrollment(tx, {
      userId: user.id,
      secret: encryptedSecret,
      pendingUntil: expiresAt,
    });
    if (!started) throw new ServiceError('MFA_ALREADY_ENABLED');
    await recordAuditEntry(tx, context, { resourceId: user.id });
  });
  return { secret, otpauthUri, qrCodeDataUrl, expiresAt };
}

/** Draw the QR code that an authenticator app scans, as a PNG data URL. */
export async function drawSecondFactorQrCode(
  secret: string,
  email: string,
): Promise<{ otpauthUri: string; qrCodeDataUrl: string }> {
  const otpauthUri = createOtpauthUri(secret, email);
  const matrix = createQrSymbolMatrix(otpauthUri, 'M', false);
  const png = await drawQrCodePng(matrix, DEFAULT_QR_CODE_DESIGN);
  return { otpauthUri, qrCodeDataUrl: `data:image/png;base64,${png.toString('base64')}` };
}

/**
 * End all other sessions; return recovery codes and a new device token. The session of a page gets a new cookie.
 * @throws MFA_CODE_INVALID, MFA_NOT_ENABLED, MFA_ALREADY_ENABLED, RATE_LIMITED
 */
export async function confirmSecondFactorEnrollment(
  services: SecondFactorServices,
  context: RequestContext,
  user: CurrentUser,
  code: string,
): Promise<RenewedAccess & { recoveryCodes: string[] }> {
  const { database, fieldCipher, mailOutbox } = services;
  const confirmed = await database.transaction(async (tx) => {
    const factor = await lockSecondFactor(tx, user.id);
    await lockUserAndSession(tx, user);
    if (factor?.isOn) throw new ServiceError('MFA_ALREADY_ENABLED');
    if (!factor?.isPending) throw new ServiceError('MFA_NOT_ENABLED');
    const budgets = await consumeEnrollmentAttempt(fieldCipher, tx, factor, context.address);
    const step = findTotpStep(
      TOTP_SECRET.decryptValue(fieldCipher, { userId: user.id }, factor.secret),
      code,
    );
    if (step === null || !(await markSecondFactorConfirmed(tx, user.id, step))) {
      await recordAuditEntry(tx, context, { action: 'MFA_REJECTED', outcome: 'DENIED', resourceId: user.id });
      return null;
    }
    await refundAttempts(tx, budgets);
    const accessEpoch = await revokeUserAccess(tx, user.id, 'SECOND_FACTOR_CHANGED', user.sessionId);
    await mailOutbox.enqueue(tx, { template: 'SECOND_FACTOR_ON', to: user.email, values: {} });
    await services.events.publish(tx, 'second_factor.enabled', { userId: user.id });
    await recordAuditEntry(tx, context, { resourceId: user.id });
    return {
      recoveryCodes: await issueRecoveryCodes(fieldCipher, tx, user.id),
      deviceToken: createDeviceToken(fieldCipher, { id: user.id, accessEpoch }),
      sessionCookie: await renewSessionCookie(fieldCipher, context, tx, user),
    };
  });
  if (!confirmed) throw new ServiceError('MFA_CODE_INVALID');
  mailOutbox.wake();
  return confirmed;
}
