import { LIFETIMES } from '../../shared/lifetimes.ts';
import type { AccountServices } from './account-services.ts';

/** Life of a one-time code in minutes, as mails say it. */
export const OTP_MINUTES = LIFETIMES.oneTimeCode / 60;

/** Seconds after which a client should offer to send the code again. */
export const RESEND_AFTER_SECONDS = 60;

/** The stored form of a one-time code: bound to its registration. */
export function otpHash(
  { vault }: AccountServices,
  registrationId: string,
  otp: string,
): Buffer<ArrayBuffer> {
  return vault.hash('registration-otp', registrationId, otp);
}

/** When a code made now ends. */
export function otpExpiry(): Date {
  return new Date(Date.now() + LIFETIMES.oneTimeCode * 1000);
}

/** The budget of tries against the newest code of an address; made whole when a new code is sent. */
export function codeBudgetKey({ vault }: AccountServices, email: string): string {
  return `otp-code:${vault.hash('otp-budget', email).toString('hex')}`;
}
