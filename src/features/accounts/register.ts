import { type Budget, reserveTries, resetBudgets } from '../../platform/attempt-budget.repository.ts';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { newId, randomDigits } from '../../shared/ids.ts';
import type { AccountServices } from './account-services.ts';
import type { Profile } from './profile.rules.ts';
import type { ProfilePicture } from './profile-picture.ts';
import { findRegistrationsToRenew, insertRegistration, replaceOtps } from './registration.repository.ts';
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
  caller: Caller,
  tx: Tx,
  input: RegistrationInput,
): Promise<void> {
  const { vault, postOffice } = services;
  const user = await ensureUser(tx, input.email);
  await resetBudgets(tx, [codeBudgetKey(services, input.email)]);
  const id = newId();
  const otp = randomDigits(6);
  const hasProfile = Object.keys(input.profile).length > 0;
  const isNew = await insertRegistration(tx, {
    id,
    userId: user.id,
    passwordHash: input.passwordHash,
    otpHash: otpHash(services, id, otp),
    expiresAt: otpExpiry(),
    profile: hasProfile ? vault.seal(pendingProfilePlace(id), input.profile) : null,
    picture: input.picture ? Buffer.from(input.picture.bytes) : null,
    pictureExtension: input.picture?.extension ?? null,
  });
  const to = input.email;
  if (isNew) await postOffice.post(tx, { template: 'OTP', to, values: { otp, minutes: OTP_MINUTES } });
  else await postOffice.post(tx, { template: 'ALREADY_REGISTERED', to, values: {} });
  const action = isNew ? 'USER_REGISTERED' : 'USER_REGISTRATION_REPEATED';
  await recordAction(tx, caller, { action, resourceId: user.id });
}

/**
 * The salt of every password that registers an address. It is the same one each time, so that one hash tells
 * whether a password is that of any registration that waits, and a log-in takes as long however many there are.
 */
export function registrationSalt({ vault }: AccountServices, email: string): Uint8Array {
  return vault.hash('registration-salt', email).subarray(0, 16);
}

/**
 * Mails new codes for the registrations of an address, in one mail: who asks gives no password, so that it is not
 * known which of them is theirs, and a later one of a stranger must not keep the first person from their code.
 * Where none waits the same work is done and nothing is mailed.
 */
export async function resendOtp(
  services: AccountServices,
  caller: Caller,
  tx: Tx,
  email: string,
): Promise<void> {
  // The budget before the person, as confirmEmail locks them: the other way round the two could wait for each other.
  await resetBudgets(tx, [codeBudgetKey(services, email)]);
  const user = await lockUserByEmail(tx, email);
  const waits = user?.status === 'PENDING_VERIFICATION';
  const renewed = (await findRegistrationsToRenew(tx, waits ? user.id : '')).map(({ id, createdAt }) => ({
    id,
    otp: randomDigits(6),
    registeredAt: createdAt,
  }));
  const otps = renewed.map(({ id, otp }) => ({ id, otpHash: otpHash(services, id, otp) }));
  await replaceOtps(tx, otps, otpExpiry());
  await mailCodes(services, tx, email, renewed);
  await recordAction(
    tx,
    caller,
    user && renewed.length > 0 ? { resourceId: user.id } : { outcome: 'DENIED' },
  );
}

async function mailCodes(
  { postOffice }: AccountServices,
  tx: Tx,
  email: string,
  codes: readonly { otp: string; registeredAt: Date }[],
): Promise<void> {
  const [newest, ...others] = codes;
  if (newest && others.length > 0) {
    await postOffice.post(tx, { template: 'OTP_CHOICE', to: email, values: { codes, minutes: OTP_MINUTES } });
    return;
  }
  const values = { otp: newest?.otp ?? randomDigits(6), minutes: OTP_MINUTES };
  await postOffice.post(tx, { template: 'OTP', to: email, values, discarded: !newest });
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
