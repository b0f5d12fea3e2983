import type { FastifyRequest } from 'fastify';
import { type Budget, reserveTries, resetBudgets } from '../../platform/attempt-budget.repository.ts';
import type { Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { newId, randomDigits } from '../../shared/ids.ts';
import type { AccountServices } from './account-services.ts';
import type { Profile } from './profile.rules.ts';
import type { ProfilePicture } from './profile-picture.ts';
import { findNewestRegistration, insertRegistration, replaceOtp } from './registration.repository.ts';
import { ensureUser, lockUserByEmail } from './user.repository.ts';

/** Life of a one-time code, in minutes. */
export const OTP_MINUTES = 10;

/** Seconds after which a client should offer to send the code again. */
export const RESEND_AFTER_SECONDS = 60;

export interface RegistrationInput {
  email: string;
  passwordHash: string;
  profile: Profile;
  picture: ProfilePicture | null;
}

/**
 * Adds a registration for an address and mails its code, in one transaction. An address that has an account
 * gets a mail that says so instead; the caller cannot tell the two apart.
 */
export async function register(
  services: AccountServices,
  request: FastifyRequest,
  tx: Tx,
  input: RegistrationInput,
): Promise<void> {
  const { vault, postOffice } = services;
  const user = await ensureUser(tx, input.email);
  await resetBudgets(tx, [codeBudgetKey(services, input.email)]);
  if (user.status !== 'PENDING_VERIFICATION') {
    await postOffice.post(tx, { template: 'ALREADY_REGISTERED', to: input.email, values: {} });
    await request.audit(tx, { action: 'USER_REGISTRATION_REPEATED', resourceId: user.id });
    return;
  }
  const id = newId();
  const otp = randomDigits(6);
  const hasProfile = Object.keys(input.profile).length > 0;
  await insertRegistration(tx, {
    id,
    userId: user.id,
    passwordHash: input.passwordHash,
    otpHash: otpHash(services, id, otp),
    expiresAt: otpExpiry(),
    profile: hasProfile ? vault.seal(pendingProfilePlace(id), input.profile) : null,
    picture: input.picture ? Buffer.from(input.picture.bytes) : null,
    pictureExtension: input.picture?.extension ?? null,
  });
  await postOffice.post(tx, { template: 'OTP', to: input.email, values: { otp, minutes: OTP_MINUTES } });
  await request.audit(tx, { resourceId: user.id });
}

/** Mails a new code for the newest registration of an address; the answer is the same when there is none. */
export async function resendOtp(
  services: AccountServices,
  request: FastifyRequest,
  tx: Tx,
  email: string,
): Promise<void> {
  // The budget before the person, as confirmEmail locks them: the other way round the two could wait for each other.
  await resetBudgets(tx, [codeBudgetKey(services, email)]);
  const user = await lockUserByEmail(tx, email);
  const pending = user?.status === 'PENDING_VERIFICATION' ? await findNewestRegistration(tx, user.id) : null;
  if (!user || !pending) {
    await services.postOffice.post(tx, { template: 'NOTHING', to: email, values: {} });
    return;
  }
  const otp = randomDigits(6);
  await replaceOtp(tx, pending.id, { otpHash: otpHash(services, pending.id, otp), expiresAt: otpExpiry() });
  await services.postOffice.post(tx, { template: 'OTP', to: email, values: { otp, minutes: OTP_MINUTES } });
  await request.audit(tx, { resourceId: user.id });
}

/**
 * Whether one more mail may go to an address: three in a quarter of an hour. Kept by a keyed hash of the
 * address, known or not; a registration beyond that is answered as always, and nothing is mailed.
 */
export async function mayMail({ vault }: AccountServices, tx: Tx, email: string): Promise<boolean> {
  const key = `mail:${vault.hash('mail-budget', email).toString('hex')}`;
  return withinBudget(tx, { key, allowed: 3, windowSeconds: 15 * 60 });
}

/** Whether a budget has a try left, which is then taken in this transaction. */
export async function withinBudget(tx: Tx, budget: Budget): Promise<boolean> {
  try {
    await reserveTries(tx, [budget]);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'RATE_LIMITED') return false;
    throw error;
  }
}

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
  return new Date(Date.now() + OTP_MINUTES * 60_000);
}

/** The budget of tries against the newest code of an address; made whole when a new code is sent. */
export function codeBudgetKey({ vault }: AccountServices, email: string): string {
  return `otp-code:${vault.hash('otp-budget', email).toString('hex')}`;
}

/** Where profile fields of a registration are stored, for their encryption. */
export function pendingProfilePlace(registrationId: string) {
  return { table: 'pending_registrations', column: 'profile', rowId: registrationId };
}
