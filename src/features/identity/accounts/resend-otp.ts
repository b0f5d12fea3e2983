import { resetAttempts } from '../../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { chooseLocale } from '../../../shared/i18n/choose-locale.ts';
import { generateRandomDigits } from '../../../shared/ids.ts';
import type { AccountServices } from './account-services.ts';
import { deriveOtpAttemptLimitKey, getOtpExpiry, hashOtp, OTP_LIFETIME_MINUTES } from './one-time-code.ts';
import { findRegistrationsForNewOtp, replaceRegistrationOtps } from './registration.repository.ts';
import { lockUserByEmail } from './user.repository.ts';

/**
 * Renew all registrations of an address: later ones must not keep the first user from their code. The work is
 * the same without registrations. Returns whether a mail was sent.
 */
export async function resendOtp(
  services: AccountServices,
  context: RequestContext,
  tx: Tx,
  email: string,
): Promise<boolean> {
  // Same lock order as confirmEmail, against deadlocks.
  await resetAttempts(tx, [deriveOtpAttemptLimitKey(services, email)]);
  const user = await lockUserByEmail(tx, email);
  const isPending = user?.status === 'PENDING_VERIFICATION';
  const renewed = (await findRegistrationsForNewOtp(tx, isPending ? user.id : '')).map(
    ({ id, createdAt }) => ({
      id,
      otp: generateRandomDigits(6),
      registeredAt: createdAt,
    }),
  );
  const otps = renewed.map(({ id, otp }) => ({ id, otpHash: hashOtp(services, id, otp) }));
  await replaceRegistrationOtps(tx, otps, getOtpExpiry());
  const language = chooseLocale(undefined, context.acceptLanguage).tag;
  await mailOtps(services, tx, { to: email, language }, renewed);
  await recordAuditEntry(
    tx,
    context,
    user && renewed.length > 0 ? { resourceId: user.id } : { outcome: 'DENIED' },
  );
  return renewed.length > 0;
}

async function mailOtps(
  { mailOutbox }: AccountServices,
  tx: Tx,
  recipient: { to: string; language: string },
  codes: readonly { otp: string; registeredAt: Date }[],
): Promise<void> {
  const [newest, ...others] = codes;
  if (newest && others.length > 0) {
    await mailOutbox.enqueue(tx, {
      ...recipient,
      template: 'OTP_CHOICE',
      values: { codes, minutes: OTP_LIFETIME_MINUTES },
    });
    return;
  }
  const { otp, registeredAt } = newest ?? { otp: generateRandomDigits(6), registeredAt: new Date() };
  const values = { otp, minutes: OTP_LIFETIME_MINUTES, registeredAt };
  await mailOutbox.enqueue(tx, { ...recipient, template: 'OTP', values, isDiscarded: !newest });
}
