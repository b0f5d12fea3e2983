import { resetBudgets } from '../../platform/attempt-budget.repository.ts';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { chooseLocale } from '../../shared/i18n/choose-locale.ts';
import { newId, randomDigits } from '../../shared/ids.ts';
import type { AccountServices } from './account-services.ts';
import { codeBudgetKey, OTP_MINUTES, otpExpiry, otpHash } from './one-time-code.ts';
import type { Profile } from './profile.rules.ts';
import type { ProfilePicture } from './profile-picture.ts';
import { insertRegistration } from './registration.repository.ts';
import { ensureUser } from './user.repository.ts';

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
    profile: hasProfile ? vault.seal(pendingProfilePlace(id, user.id), input.profile) : null,
    picture: input.picture ? Buffer.from(input.picture.bytes) : null,
    pictureExtension: input.picture?.extension ?? null,
  });
  const to = input.email;
  if (isNew)
    await postOffice.post(tx, {
      template: 'OTP',
      to,
      values: { otp, minutes: OTP_MINUTES, registeredAt: new Date() },
      language: chooseLocale(undefined, caller.acceptLanguage).tag,
    });
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

/** Where profile fields of a registration are stored, for their encryption. */
export function pendingProfilePlace(registrationId: string, userId: string) {
  return { table: 'pending_registrations', column: 'profile', rowId: registrationId, ownerId: userId };
}
