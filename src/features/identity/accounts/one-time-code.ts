import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import type { AccountServices } from './account-services.ts';

/** Life of a one-time code in minutes, as mails say it. */
export const OTP_LIFETIME_MINUTES = LIFETIMES_SECONDS.oneTimeCode / 60;

/** Seconds after which a client should offer to send the code again. */
export const OTP_RESEND_DELAY_SECONDS = 60;

/** The stored form of a one-time code: bound to its registration. */
export function hashOtp(
  { fieldCipher }: AccountServices,
  registrationId: string,
  otp: string,
): Buffer<ArrayBuffer> {
  return fieldCipher.hash('registration-otp', registrationId, otp);
}

/** When a code made now ends. */
export function getOtpExpiry(): Date {
  return new Date(Date.now() + LIFETIMES_SECONDS.oneTimeCode * 1000);
}

/** The budget of tries against the newest code of an address; made whole when a new code is sent. */
export function getOtpBudgetKey({ fieldCipher }: AccountServices, email: string): string {
  return `otp-code:${fieldCipher.hash('otp-budget', email).toString('hex')}`;
}
