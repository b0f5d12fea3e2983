import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import type { AccountServices } from './account-services.ts';

const OTP_LIFETIME_MINUTES = LIFETIMES_SECONDS.oneTimeCode / 60;

export const OTP_RESEND_DELAY_SECONDS = 60;

export function hashOtp(
  { fieldCipher }: AccountServices,
  registrationId: string,
  otp: string,
): Buffer<ArrayBuffer> {
  return fieldCipher.hash('registration-otp', registrationId, otp);
}

export function getOtpExpiry(): Date {
  return new Date(Date.now() + LIFETIMES_SECONDS.oneTimeCode * 1000);
}

/** The template and values of the mail with a code. With several passwords the code only proves the address. */
export function createOtpMail(
  otp: string,
  { hasSeveralPasswords, registeredAt }: { hasSeveralPasswords: boolean; registeredAt: Date },
) {
  const values = { otp, minutes: OTP_LIFETIME_MINUTES };
  return hasSeveralPasswords
    ? { template: 'OTP_CHOICE' as const, values }
    : { template: 'OTP' as const, values: { ...values, registeredAt } };
}
