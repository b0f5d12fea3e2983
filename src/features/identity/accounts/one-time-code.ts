import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import type { AccountServices } from './account-services.ts';

export const OTP_LIFETIME_MINUTES = LIFETIMES_SECONDS.oneTimeCode / 60;

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
